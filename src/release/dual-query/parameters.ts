import { InputError } from '../../domain/input-error.js';
import type { Currency } from '../../privacy/accounting/currency.js';

/** DualQuery's parameters: rounds T, draws a round s, and the learning rate eta. */
export interface DualQueryParameters {
  readonly rounds: number;
  readonly samples: number;
  readonly eta: number;
}

/** What of them is given: two at most. */
export type GivenParameters = { readonly [Name in keyof DualQueryParameters]?: number | undefined };

/** What a draw with log-odds u costs grows with this power of u: epsilon^2/8 rho, or epsilon. */
export const powerOf = (currency: Currency): 1 | 2 => (currency === 'pure' ? 1 : 2);

/** 1^p + 2^p + ... + m^p: what all rounds cost together, in units of the second one. */
export const sumOfPowers = (m: number, power: 1 | 2): number =>
  power === 1 ? (m * (m + 1)) / 2 : (m * (m + 1) * (2 * m + 1)) / 6;

/** Rounds and draws a round at most, and the learning rate, unless somebody says otherwise. */
const mostRounds = 200;
const mostSamples = 2000;
export const usualEta = 1.5;

/** The largest number of rounds from 2 on that the budget allows with so many draws each, or with as many draws as there are rounds. */
const roundsFor = (budget: number, samples: number | undefined, power: 1 | 2): number => {
  let rounds = 2;
  while (rounds < mostRounds && (samples ?? rounds + 1) * sumOfPowers(rounds, power) <= budget) rounds++;
  return rounds;
};

const checked = (value: number | undefined, what: string, least: number): void => {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
    throw new InputError(`${what}: must be a whole number from ${least} on, got ${value}`);
};

export const checkParameters = ({ rounds, samples, eta }: GivenParameters): void => {
  checked(rounds, 'rounds', 2);
  checked(samples, 'samples', 1);
  if (eta !== undefined && !(eta > 0 && eta < Infinity))
    throw new InputError(`eta: must be a positive number, got ${eta}`);
  if (rounds !== undefined && samples !== undefined && eta !== undefined)
    throw new InputError('dual-query: takes two of rounds, samples and eta, got all three; the budget gives the third');
};

/**
 * Two of the parameters say what the third may be: s sum_t (eta (t - 1))^p = capacity, where p is 2 in zCDP, 1 for a pure budget, and
 * `capacity` is (n times the log-odds of a single draw that costs everything)^p. Where fewer are given, eta is the usual one, and there
 * are as many draws a round as rounds. An eta is a wish: rounds and draws are whole numbers and have limits, and the eta with which they
 * use up the budget is the one that is used.
 */
export const resolveParameters = (given: GivenParameters, capacity: number, power: 1 | 2): DualQueryParameters => {
  const budget = capacity / (given.eta ?? usualEta) ** power;
  const rounds = given.rounds ?? roundsFor(budget, given.samples, power);
  const cost = sumOfPowers(rounds - 1, power);
  const samples = given.samples ?? Math.min(mostSamples, Math.max(1, Math.floor(budget / cost)));
  return { rounds, samples, eta: (capacity / (samples * cost)) ** (1 / power) };
};
