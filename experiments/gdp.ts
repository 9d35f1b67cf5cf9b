import { amountToNumber, zeroAmount } from '../src/privacy/accounting/amount.js';
import { costOfAll } from '../src/privacy/accounting/charge.js';
import { epsilonOf } from '../src/privacy/accounting/conversion.js';
import { exactEpsilonOf } from '../src/privacy/accounting/exact/exact-epsilon.js';
import { gdpEpsilonOf } from '../src/privacy/accounting/gdp-conversion.js';
import { seeded } from '../src/random/seeded.js';
import type { Experiment } from './experiment.js';
import { independentDelta, type Shifted } from './gaussian-loss/independent-delta.js';
import { randomPlan } from './gaussian-loss/random-plan.js';

/** The epsilon at which a plan has this delta, by secants through ln delta from two guesses: to a millionth. */
export const independentEpsilon = (plan: readonly Shifted[], delta: number, guess: number): number => {
  let [a, b] = [guess, guess * 0.999];
  let [atA, atB] = [a, b].map((epsilon) => Math.log(independentDelta(plan, epsilon) / delta));
  for (let step = 0; step < 12 && Math.abs(a - b) > 1e-8 * guess && atA !== atB; step++)
    [a, b, atA, atB] = [b, b - (atB * (b - a)) / (atB - atA), atB, Number.NaN].map((value, i, next) =>
      i === 3 ? Math.log(independentDelta(plan, next[1]) / delta) : value,
    );
  return b;
};

interface Row {
  readonly sigma: number;
  /** Told epsilon over the independent one, minus 1. */
  readonly excess: number;
  /** The same of the epsilon that the sum of their gdp is told as. */
  readonly inGdp: number;
  /** The same of the epsilon that rho is told as. */
  readonly inRho: number;
}

const bands = [0, 5, 19, 100, Number.POSITIVE_INFINITY];

/** Told epsilons of random plans beside those of an independent computation. */
const experiment: Experiment = async ({ seeds = 1000, quick, say }) => {
  const rows: Row[] = [];
  for (let seed = 0; seed < (quick ? 50 : seeds); seed++) {
    const { delta, charges, shifted, leastSigma } = randomPlan(seeded(seed));
    const told = amountToNumber(exactEpsilonOf(charges, zeroAmount, delta));
    const summed = amountToNumber(gdpEpsilonOf(costOfAll(charges, 'gdp'), delta));
    const rho = amountToNumber(epsilonOf(costOfAll(charges, 'zcdp'), delta));
    const truth = independentEpsilon(shifted, Number(delta), told);
    rows.push({ sigma: leastSigma, excess: told / truth - 1, inGdp: summed / truth - 1, inRho: rho / truth - 1 });
    if (seed % 100 === 99) say(`${seed + 1} plans`);
  }
  const least = Math.min(...rows.map(({ excess }) => excess));
  const within = bands.slice(1).map((high, band) => {
    const own = rows.filter(({ sigma }) => sigma >= bands[band] && sigma < high);
    const sorted = own.map(({ excess }) => excess).sort((a, b) => a - b);
    return {
      from: bands[band],
      plans: own.length,
      largest: sorted.at(-1),
      middle: sorted[sorted.length >> 1],
      above: own.filter(({ excess }) => excess > 0.001).length,
      inGdp: own.reduce((sum, { inGdp }) => sum + inGdp, 0) / Math.max(1, own.length),
      inRho: own.reduce((sum, { inRho }) => sum + inRho, 0) / Math.max(1, own.length),
    };
  });
  const percent = (value: number | undefined) => (value === undefined ? '-' : `${(100 * value).toFixed(4)}%`);
  return {
    figures: { plans: rows.length, least, below: rows.filter(({ excess }) => excess < -1e-7).length, within },
    text: [
      `${rows.length} plans; the least told epsilon is ${percent(least)} above the independent one`,
      'least sigma | plans | median above | largest above | more than 0.1% above | sum of gdp above, mean | rho above, mean',
      ...within.map(
        ({ from, plans, largest, middle, above, inGdp, inRho }) =>
          `${from} | ${plans} | ${percent(middle)} | ${percent(largest)} | ${above} | ${percent(inGdp)} | ${percent(inRho)}`,
      ),
    ].join('\n'),
  };
};

export default experiment;
