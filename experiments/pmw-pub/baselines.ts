import { existsSync, readFileSync } from 'node:fs';
import { type Spread, spreadOf } from '../spread.js';
import type { Laboratory } from './laboratory.js';

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

export const runBaselines = async (
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

/** A part of an experiment's kept figures, for a run of its other part alone. */
export const keptPart = <T>(experiment: string, part: string): T => {
  const file = `experiments/results/${experiment}.json`;
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, T>) : {};
  if (!(part in kept)) throw new Error(`${file}: has no ${part}; run the experiment without --only`);
  return kept[part];
};
