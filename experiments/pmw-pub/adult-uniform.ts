import { supportOf } from '../../src/model/support/support.js';
import { adultTables } from './adult-tables.js';
import { type Extent, openLaboratory, planFor, tuneRounds } from './laboratory.js';

/** MWEM's uniform start on the public rows of one bias: its rounds tuned where none are given, largest errors else. */
export interface AdultUniformJob {
  readonly data: string;
  readonly bias: number;
  readonly seed: number;
  readonly extent: Extent;
  readonly rounds?: readonly number[];
}

export interface AdultUniformOutcome {
  readonly rounds: readonly number[];
  readonly errors: readonly number[];
}

export const runJob = async ({ data, bias, seed, extent, rounds }: AdultUniformJob): Promise<AdultUniformOutcome> => {
  const { privateTable, publicTable, workload } = adultTables(data, seed, rounds === undefined, bias);
  const support = supportOf(publicTable);
  const plan = planFor({ ...support, weights: support.weights.map(() => 1 / support.length) }, workload);
  const laboratory = await openLaboratory(privateTable, workload);
  try {
    if (rounds === undefined) return { rounds: await tuneRounds(laboratory, plan, extent, 1), errors: [] };
    const errors: number[] = [];
    for (const [i, epsilon] of extent.epsilons.entries())
      errors.push((await laboratory.run(plan, { epsilon, rounds: rounds[i], seed: 100 * seed + i })).largest);
    return { rounds, errors };
  } finally {
    laboratory.close();
  }
};
