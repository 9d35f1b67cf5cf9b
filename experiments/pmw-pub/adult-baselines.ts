import { adultTables } from './adult-tables.js';
import { type BaselineErrors, runBaselines, tuneEtas } from './baselines.js';
import { openLaboratory } from './laboratory.js';

/** HDMM and DualQuery on one sample of ADULT: DualQuery's eta tuned where none is given, errors else. */
export interface AdultBaselineJob {
  readonly data: string;
  readonly seed: number;
  readonly epsilons: readonly number[];
  readonly etas?: readonly number[];
}

export const runJob = async ({
  data,
  seed,
  epsilons,
  etas,
}: AdultBaselineJob): Promise<BaselineErrors & { readonly etas: readonly number[] }> => {
  const { privateTable, workload } = adultTables(data, seed, etas === undefined, 0);
  const laboratory = await openLaboratory(privateTable, workload);
  try {
    if (etas !== undefined) return { etas, ...(await runBaselines(laboratory, epsilons, etas, seed)) };
    return { etas: await tuneEtas(laboratory, epsilons), hdmm: [], dualQuery: [] };
  } finally {
    laboratory.close();
  }
};
