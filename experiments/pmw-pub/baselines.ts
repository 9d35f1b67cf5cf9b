import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../../src/domain/input-error.js';
import type { Table } from '../../src/domain/table.js';
import type { Workload } from '../../src/query/workload/workload.js';
import { onlyOf } from '../command/only-of.js';
import { type Spread, spreadOf } from '../spread.js';
import { type Laboratory, openLaboratory } from './laboratory.js';

/** What needs no public table: largest errors for each budget. */
export interface BaselineErrors {
  readonly hdmm: readonly number[];
  readonly dualQuery: readonly number[];
}

/** The same over several runs, at one budget, with the eta that DualQuery was tuned to. */
export interface Baseline {
  readonly epsilon: number;
  readonly eta: number;
  readonly hdmm: Spread;
  readonly dualQuery: Spread;
}

const etasTried = [0.5, 1, 1.5, 3];

/** DualQuery's eta with the least largest error of one run on another table, for each budget. */
export const tuneEtas = async (laboratory: Laboratory, budgets: readonly number[]): Promise<number[]> => {
  const etas: number[] = [];
  for (const epsilon of budgets) {
    let best = { eta: 0, error: Number.POSITIVE_INFINITY };
    for (const eta of etasTried) {
      const error = await laboratory.dualQuery({ epsilon, eta, seed: 17 });
      if (error < best.error) best = { eta, error };
    }
    etas.push(best.eta);
  }
  return etas;
};

const runBaselines = async (
  laboratory: Laboratory,
  budgets: readonly number[],
  etas: readonly number[],
  seed: number,
): Promise<BaselineErrors> => {
  const [hdmm, dualQuery]: [number[], number[]] = [[], []];
  for (const [i, epsilon] of budgets.entries()) {
    const trial = { epsilon, seed: 100 * seed + i };
    hdmm.push(await laboratory.hdmm(trial));
    dualQuery.push(await laboratory.dualQuery({ ...trial, eta: etas[i] }));
  }
  return { hdmm, dualQuery };
};

/** One job: DualQuery's eta tuned where none is given, errors else. */
export interface BaselineJob {
  readonly data: string;
  readonly seed: number;
  readonly epsilons: readonly number[];
  readonly etas?: readonly number[];
}

/** What comes of a job; of a tuning one the etas alone. */
export interface BaselineResult extends BaselineErrors {
  readonly etas: readonly number[];
}

/** Tunes on a table, or runs on it; what is tuned on has `scale` times fewer records, and as many times the budget. */
export const tuneOrRun = async (
  privateTable: Table,
  workload: Workload,
  { epsilons, etas, seed }: BaselineJob,
  scale = 1,
): Promise<BaselineResult> => {
  const laboratory = await openLaboratory(privateTable, workload);
  try {
    if (etas !== undefined) return { etas, ...(await runBaselines(laboratory, epsilons, etas, seed)) };
    const budgets = epsilons.map((epsilon) => epsilon * scale);
    return { etas: await tuneEtas(laboratory, budgets), hdmm: [], dualQuery: [] };
  } finally {
    laboratory.close();
  }
};

export const baselinesOf = (
  budgets: readonly number[],
  etas: readonly number[],
  runs: readonly BaselineErrors[],
): Baseline[] =>
  budgets.map((epsilon, i) => ({
    epsilon,
    eta: etas[i],
    hdmm: spreadOf(runs.map(({ hdmm }) => hdmm[i])),
    dualQuery: spreadOf(runs.map(({ dualQuery }) => dualQuery[i])),
  }));

/** The part that `--only` asks for. What is kept is of the whole extent, so a quick run has no use for it. */
export const partToRun = (only: string | undefined, quick: boolean): 'pmw-pub' | 'baselines' | undefined => {
  if (quick && only !== undefined)
    throw new InputError(
      `--only: takes the other part from the kept run, got ${only} with --quick; leave one of them out`,
    );
  return onlyOf(only, ['pmw-pub', 'baselines']);
};

/** A part of an experiment's kept figures, for a run of its other part alone. */
export const keptPart = <T>(experiment: string, part: string): T => {
  const file = `experiments/results/${experiment}.json`;
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, T>) : {};
  if (!(part in kept)) throw new InputError(`${file}: has no ${part}; run the experiment without --only`);
  return kept[part];
};
