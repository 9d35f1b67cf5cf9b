import type { BudgetRequest } from '../../src/privacy/accounting/budget.js';
import type { DiscoveryDoor } from '../../src/privacy/discovery/discovery-door.js';
import { wholeWeight } from '../../src/privacy/discovery/unit-weights.js';
import { type Audit, clamp } from './case.js';
import { type DiscoverySetting, discoveryAudit, type Rows } from './discovery-audit.js';

/** What one run may spend, and the delta of its threshold: half of the delta for thresholds is kept for acts that are lost. */
const budgetFor = (rho: number, delta: number): BudgetRequest => ({
  rho,
  delta: 4 * delta,
  thresholds: { numerator: 1, denominator: 2 },
});

const manyOf = (count: number, ...values: string[]): Rows =>
  Array.from({ length: count }, (_, i) => [i + 1, ...values] as const);

/** Enough rows that their values pass nearly always: the sum of the noisy weights tells all. */
const usual = 20;
/** Runs of these are long, and a fifth of the usual number is enough. */
const fewer = 0.2;
const abcd = ['a', 'b', 'c', 'd'];
const efgh = ['e', 'f', 'g', 'h'];

/** The noisy weights of the first values less those of others and what they are without the last unit, in quarters of what that moves them by. */
const summed = async (
  door: DiscoveryDoor,
  columns: readonly string[],
  { base, moved }: { readonly base: number; readonly moved: number },
): Promise<number> => {
  const passed = await door.values(unknown(columns), 1, { parts: 1 });
  const sum = passed.reduce((all, { text, count }) => all + (abcd.includes(text) ? count : -count), 0);
  return clamp((4 * (sum - base)) / moved, -30, 30);
};

const unknown = (columns: readonly string[]) => columns.map((name) => ({ name, known: [] }));

/** Whether anything is told that only one unit has. */
const toldNew = async (door: DiscoveryDoor, columns: readonly string[]): Promise<number> =>
  (await door.values(unknown(columns), 1, { parts: 1 })).length > 0 ? 1 : 0;

/** Nobody, of whom nothing can be told, and one unit of two rows with two values of its own. */
const oneStranger: Pick<DiscoverySetting, 'sides' | 'relation' | 'maxRecords' | 'budget' | 'measure'> = {
  sides: [
    [],
    [
      [1, 'p'],
      [1, 'q'],
    ],
  ],
  relation: 'add-remove',
  maxRecords: 2,
  // So much noise that two values of one unit need the higher threshold, and so little that its tail is added up term by term and not bounded.
  budget: budgetFor(0.364, 0.05),
  measure: 'delta',
};

const oneMore: Pick<DiscoverySetting, 'relation' | 'maxRecords' | 'budget' | 'measure'> = {
  relation: 'add-remove',
  maxRecords: 1,
  budget: budgetFor(0.5, 0.01),
  measure: 'mu',
};

export const valuesAudits: readonly Audit[] = [
  discoveryAudit({
    ...oneMore,
    name: 'values of four columns, add-remove',
    effort: fewer,
    sides: [manyOf(usual, ...abcd), manyOf(usual + 1, ...abcd)],
    run: (door, columns) => summed(door, columns, { base: 4 * usual * 128, moved: 4 * 128 }),
  }),
  discoveryAudit({
    ...oneMore,
    name: 'values of four columns, replace-one',
    effort: fewer,
    relation: 'replace-one',
    sides: [
      [...manyOf(usual, ...abcd), ...manyOf(usual + 1, ...efgh).map(([who, ...own]) => [who + 100, ...own] as const)],
      [...manyOf(usual + 1, ...abcd), ...manyOf(usual, ...efgh).map(([who, ...own]) => [who + 100, ...own] as const)],
    ],
    // From one side to the other the sum moves by the weights of two units.
    run: (door, columns) => summed(door, columns, { base: 0, moved: 8 * 128 }),
  }),
  discoveryAudit({ ...oneStranger, name: 'values that one unit alone has', effort: fewer, run: toldNew }),
  discoveryAudit({
    ...oneStranger,
    name: 'planted: a threshold that forgets the noise',
    plant: (parts) => ({
      ...parts,
      primitives: { ...parts.primitives, passer: (sigmaSquared) => parts.primitives.passer(sigmaSquared, wholeWeight) },
    }),
    run: toldNew,
  }),
  discoveryAudit({
    ...oneMore,
    name: 'planted: values of a unit counted whole',
    sides: [manyOf(usual, ...abcd), manyOf(usual + 1, ...abcd)],
    plant: (parts) => ({
      ...parts,
      raw: {
        ...parts.raw,
        shared: ({ columns, weights }, visit) =>
          parts.raw.shared({ columns, weights: weights.map(() => weights[0]) }, visit),
      },
    }),
    run: (door, columns) => summed(door, columns, { base: 4 * usual * wholeWeight, moved: 4 * wholeWeight }),
  }),
];
