import { attack, type Measure, type Outcomes } from './attack.js';
import type { Audit } from './case.js';

/** Chance that a bound is wrong. */
const error = 1e-4;

export interface Verdict {
  readonly name: string;
  readonly measure: Measure;
  /** Held-out runs on each side; a quarter as many more chose the event. */
  readonly runs: number;
  /** The loss of one run that follows from what was charged. */
  readonly claim: number;
  /** The loss is at least this, with confidence 1 - 1e-4. */
  readonly bound: number;
  readonly planted: boolean;
  readonly passed: boolean;
}

const observe = async (audit: Audit, side: 0 | 1, runs: number): Promise<{ outcomes: Outcomes; cost: number }> => {
  const opened = audit.open(side);
  const outcomes: Outcomes = new Map();
  for (let i = 0; i < runs; i++) {
    const outcome = await opened.run();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return { outcomes, cost: opened.spent() / runs };
};

/**
 * Runs a mechanism on both sides and compares the proven loss with the claimed one. A sound mechanism passes when the bound is
 * not above the claim; a planted bug passes when it is caught.
 */
export const runCase = async (audit: Audit, usual: number): Promise<Verdict> => {
  const runs = usual * (audit.effort ?? 1);
  const sides = [0, 1] as const;
  const training = [];
  const heldOut = [];
  for (const side of sides) training.push(await observe(audit, side, Math.ceil(runs / 4)));
  for (const side of sides) heldOut.push(await observe(audit, side, runs));
  const cost = Math.max(...heldOut.map((side) => side.cost));
  // What was charged is rho, epsilon, or the delta of thresholds. Gaussian noise with L2 sensitivity S: rho = S^2/(2 sigma^2), and mu = S/sigma.
  const claim = audit.measure === 'mu' ? Math.sqrt(2 * cost) : cost;
  const bound = attack(
    [training[0].outcomes, training[1].outcomes],
    [heldOut[0].outcomes, heldOut[1].outcomes],
    audit.measure,
    error,
  );
  const { name, measure, planted } = audit;
  return { name, measure, runs, claim, bound, planted, passed: planted ? bound > claim : bound <= claim };
};
