import { type BaselineErrors, runBaselines, tuneEtas } from './baselines.js';
import { type CensusState, censusTables, censusWorkload } from './census-tables.js';
import { openLaboratory } from './laboratory.js';

/** HDMM and DualQuery on one state: DualQuery's eta tuned where none is given, errors else. */
export interface CensusBaselineJob {
  readonly data: string;
  readonly state: CensusState;
  readonly seed: number;
  readonly epsilons: readonly number[];
  readonly etas?: readonly number[];
}

export const runJob = async ({
  data,
  state,
  seed,
  epsilons,
  etas,
}: CensusBaselineJob): Promise<BaselineErrors & { readonly etas: readonly number[] }> => {
  const { privateTable, scale } = censusTables(data, state, etas === undefined);
  const laboratory = await openLaboratory(privateTable, censusWorkload(privateTable.domain));
  try {
    if (etas !== undefined) return { etas, ...(await runBaselines(laboratory, epsilons, etas, seed)) };
    const tuned = await tuneEtas(
      laboratory,
      epsilons.map((epsilon) => epsilon * scale),
    );
    return { etas: tuned, hdmm: [], dualQuery: [] };
  } finally {
    laboratory.close();
  }
};
