import { nameCells } from '../../src/privacy/answers/named-cells.js';
import { webEntropy } from '../../src/privacy/entropy.js';
import { multiplyRational, rational, rationalNumber } from '../../src/privacy/rational.js';
import type { DoorParts } from '../../src/privacy/session/door-parts.js';
import type { Door } from '../../src/privacy/session/session.js';
import { marginal } from '../../src/query/marginal.js';
import { factored } from '../../src/query/query.js';
import { residual } from '../../src/query/residual.js';
import { uniform } from '../../src/random/uniform.js';
import { oneRun, type Setting } from './audited-session.js';
import { type Audit, type Case, clamp, sessionAudit } from './case.js';
import { edgesAudits } from './edges-cases.js';
import { householdCases } from './household-cases.js';
import { mapAudits } from './map-cases.js';
import { valuesAudits } from './values-cases.js';

const cellsOf = async (door: Door, of = oneRun): Promise<Float64Array> =>
  (await door.measure([marginal('x')], of))[0].values;

const addOne: Setting = { size: 2, sides: [[1], [1, 0]], relation: 'add-remove', budget: { epsilon: 1 } };
const replaceOne: Setting = { size: 2, sides: [[0], [1]], relation: 'replace-one', budget: { epsilon: 1 } };
const manyRows = Array.from({ length: 20 }, () => 0);
const wholeUnit: Setting = {
  size: 2,
  sides: [[], manyRows],
  relation: 'add-remove',
  maxRecords: 20,
  budget: { rho: 0.5 },
};

/**
 * Two candidates: the distance of the first grows with the extra row, that of the second shrinks. The offset, in records, makes
 * the first one rare: the exponential mechanism's loss on "the first wins" tends to all of epsilon as that becomes rare.
 */
const riserAndFaller = (offset: number) => [
  { query: marginal(), reference: [-9], offset },
  { query: marginal(), reference: [11] },
];

/**
 * The number of records against no reference, which one record leaves unscored and two do not, and a candidate whose distance
 * shrinks: whether a cell is scored at once must not show.
 */
const unscoredAndFaller = [
  { query: marginal(), cells: nameCells([]), reference: [] },
  { query: marginal(), reference: [5] },
];

/**
 * Twenty rows of x, y, z, v, in which x and y are constant and z is never v, and one more in which x and y differ from all others
 * while z is v: the mutual information of x and y rises by all that one row can do, that of z and v falls by two thirds of it.
 */
const riserAndFallerOfFour: Setting = (() => {
  const rows = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0b0001 : 0b0010));
  return {
    size: 2,
    further: [2, 2, 2],
    sides: [rows, [...rows, 0b1100]],
    relation: 'add-remove',
    budget: { epsilon: 4 },
  };
})();

/** Columns of both signs: (3, -2) and (-1, 4). */
const strategyRows = [
  [3, -1],
  [-2, 4],
];

const laplaceFloat = (scale: number, u: number): number => (u < 0.5 ? Math.log(2 * u) : -Math.log(2 - 2 * u)) * scale;

const entropy = webEntropy();

/** Laplace noise drawn in single precision and added to the count in double precision. */
const floatNoise = (parts: DoorParts): DoorParts => ({
  ...parts,
  primitives: {
    ...parts.primitives,
    addNoise: (_kind, counts, scale) => {
      const b = rationalNumber(scale);
      return counts.map((count) => count + Math.fround(laplaceFloat(b, uniform(entropy) || 0.5)));
    },
  },
});

const halvedSensitivity = (parts: DoorParts): DoorParts => ({
  ...parts,
  sensitivityOf: (query) => {
    const right = parts.sensitivityOf(query);
    return { ...right, l1: right.l1 / 2 };
  },
});

/** Of the measurements made together, only the first is paid for. */
const firstCharged = (parts: DoorParts): DoorParts => ({
  ...parts,
  account: {
    ...parts.account,
    pay: (what, charges, work) => parts.account.pay(what, charges.slice(0, 1), work),
  },
});

/** Of the draws of one act, only the first is paid for. */
const oneDrawCharged = (parts: DoorParts): DoorParts => ({
  ...parts,
  primitives: {
    ...parts.primitives,
    draw: (scores, sensitivity, epsilon, draws) =>
      parts.primitives.draw(scores, sensitivity, multiplyRational(epsilon, rational(draws)), draws),
  },
});

const sessionCases: readonly Case[] = [
  {
    name: 'Laplace, one marginal, add-remove',
    setting: addOne,
    measure: 'epsilon',
    run: async (session) => clamp((await cellsOf(session))[0], -5, 6),
  },
  {
    name: 'Laplace, one marginal, replace-one',
    setting: replaceOne,
    measure: 'epsilon',
    run: async (session) => {
      const [a, b] = await cellsOf(session);
      // Sufficient: how far each cell is from either side, beyond which the ratio no longer changes.
      return clamp(a, 0, 1) - clamp(b, 0, 1);
    },
  },
  {
    name: 'Laplace in two groups, replace-one',
    setting: replaceOne,
    measure: 'epsilon',
    run: (session) =>
      session.partition(['x'], oneRun, async ([a, b]) => {
        const one = (await a.total(1)).values[0];
        const two = (await b.total(1)).values[0];
        return clamp(one, 0, 1) - clamp(two, 0, 1);
      }),
  },
  {
    name: 'Gaussian, one marginal, 20 rows a unit',
    setting: wholeUnit,
    measure: 'mu',
    run: async (session) => clamp((await cellsOf(session))[0] / 4, -20, 25),
  },
  {
    name: 'Gaussian, three marginals, 20 rows a unit',
    setting: wholeUnit,
    measure: 'mu',
    run: async (session) => {
      const measured = await session.measure([marginal('x'), marginal(), marginal('x')], oneRun);
      return clamp(measured.reduce((sum, { values }) => sum + values[0], 0) / 12, -20, 25);
    },
  },
  {
    name: 'Gaussian, a residual, 20 rows a unit',
    setting: wholeUnit,
    measure: 'mu',
    run: async (session) => clamp((await session.measure([residual('x')], oneRun))[0].values[0] / 2, -20, 25),
  },
  {
    name: 'Gaussian, a residual, replace-one',
    setting: { ...replaceOne, budget: { rho: 0.5 } },
    measure: 'mu',
    run: async (session) => clamp(4 * (await session.measure([residual('x')], oneRun))[0].values[0], -20, 20),
  },
  {
    name: 'Laplace, a strategy of both signs, add-remove',
    setting: addOne,
    measure: 'epsilon',
    // The extra row changes the answers from (-1, 4) to (2, 2): beyond those the ratio no longer changes.
    run: async (session) => {
      const query = factored({ x: { kind: 'matrix', rows: strategyRows } });
      const [a, b] = (await session.measure([query], oneRun))[0].values;
      return clamp(a, -1, 2) - clamp(b, 2, 4);
    },
  },
  {
    name: 'Gaussian, a query that is no product, replace-one',
    setting: { ...replaceOne, budget: { rho: 0.5 } },
    measure: 'mu',
    // From column (3, -2) to column (-1, 4): a step along (-4, 6).
    run: async (session) => {
      const query = { kind: 'dense', attributes: ['x'], rows: strategyRows } as const;
      const [a, b] = (await session.measure([query], oneRun))[0].values;
      return clamp((-4 * a + 6 * b) / 5, -25, 40);
    },
  },
  {
    name: 'exponential mechanism',
    setting: { ...addOne, budget: { epsilon: 4 } },
    measure: 'epsilon',
    // The telling event is rare, so it takes more runs than the others to be sure of it.
    effort: 2,
    run: (session) => session.select(riserAndFaller(3.25), oneRun),
  },
  {
    name: 'exponential mechanism, an unscored cell',
    setting: { ...addOne, budget: { epsilon: 4 } },
    measure: 'epsilon',
    effort: 2,
    run: async (session) => (await session.selectCell(unscoredAndFaller, oneRun)).candidate,
  },
  {
    name: 'permute-and-flip',
    setting: addOne,
    measure: 'epsilon',
    run: (session) => session.select(riserAndFaller(0), oneRun, { mechanism: 'permute-and-flip' }),
  },
  {
    name: 'exponential mechanism, mutual information',
    setting: riserAndFallerOfFour,
    measure: 'epsilon',
    effort: 2,
    run: (session) => {
      const pairs = ['xy', 'zv'].map(([of, on]) => ({ of: [of], on: [on] }));
      return session.selectDependence(pairs, oneRun, { rows: riserAndFallerOfFour.sides[1].length });
    },
  },
  {
    name: 'two draws of answers and signs',
    setting: { ...addOne, budget: { epsilon: 4 } },
    measure: 'epsilon',
    effort: 2,
    // Of all four outcomes, "above twice" and "below twice" tell most, and the rarer the more: the reference makes the first rare.
    run: async (session) => {
      const { drawn } = await session.drawCells([{ query: marginal(), reference: [3] }], oneRun, { draws: 2 });
      return drawn.reduce((sum, { sign }) => sum + sign, 0);
    },
  },
  ...householdCases,
  {
    name: 'planted: sensitivity halved',
    setting: { ...addOne, sides: [[1], [1, 0, 0]], maxRecords: 2, plant: halvedSensitivity },
    measure: 'epsilon',
    run: async (session) => clamp((await cellsOf(session))[0], -5, 6),
  },
  {
    name: 'planted: two measurements charged once',
    setting: { ...addOne, plant: firstCharged },
    measure: 'epsilon',
    run: async (session) => {
      const [one, two] = await session.measure([marginal('x'), marginal('x')], oneRun);
      return clamp(one.values[0], 0, 1) + clamp(two.values[0], 0, 1);
    },
  },
  {
    name: 'planted: two draws charged once',
    setting: { ...addOne, budget: { epsilon: 4 }, plant: oneDrawCharged },
    measure: 'epsilon',
    effort: 2,
    run: async (session) => {
      const { drawn } = await session.drawCells([{ query: marginal(), reference: [2] }], oneRun, { draws: 2 });
      return drawn.reduce((sum, { sign }) => sum + sign, 0);
    },
  },
  {
    name: 'planted: noise from a rounded float',
    setting: { ...addOne, plant: floatNoise },
    measure: 'epsilon',
    run: async (session) => {
      const [value] = await cellsOf(session);
      return Math.fround(value) === value ? 1 : 0;
    },
  },
];

export const cases: readonly Audit[] = [
  ...sessionCases.map(sessionAudit),
  ...valuesAudits,
  ...edgesAudits,
  ...mapAudits,
];
