import { amountToNumber } from '../../src/privacy/accounting/amount.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import { costOfAll, thresholdDelta } from '../../src/privacy/accounting/charge.js';
import { type DiscoveryParts, discovering } from '../../src/privacy/discovery/discovering.js';
import type { DiscoveryDoor } from '../../src/privacy/discovery/discovery-door.js';
import { wholeWeight } from '../../src/privacy/discovery/unit-weights.js';
import { webEntropy } from '../../src/privacy/entropy.js';
import { exactPrimitives } from '../../src/privacy/primitives.js';
import { rationalNumber } from '../../src/privacy/rational.js';
import { groupAccount } from '../../src/privacy/session/account/group-account.js';
import type { Relation } from '../../src/query/relation.js';
import type { Unit } from '../../src/query/unit.js';
import { seeded } from '../../src/random/seeded.js';
import { rawMemorySource } from '../../src/source/raw-memory-source.js';
import { type Audit, clamp } from './case.js';

/** Rows of a raw table: whose each is, and its values, one a column. */
type Rows = readonly (readonly [who: number, ...values: string[]])[];

interface Setting extends Pick<Audit, 'name' | 'measure' | 'effort'> {
  readonly sides: readonly [Rows, Rows];
  readonly relation: Relation;
  readonly maxRecords: number;
  /** What one run may spend, and the delta of its threshold. */
  readonly rho: number;
  readonly delta: number;
  readonly plant?: (parts: DiscoveryParts) => DiscoveryParts;
  run(
    door: DiscoveryDoor,
    columns: readonly { readonly name: string; readonly known: readonly string[] }[],
  ): Promise<number>;
}

/** An audit of the values that pass: every run is a discovery of its own, on parts like those of a real one. */
const valuesAudit = ({
  name,
  measure,
  effort,
  sides,
  relation,
  maxRecords,
  rho,
  delta,
  plant,
  run,
}: Setting): Audit => ({
  name,
  measure,
  effort,
  planted: plant !== undefined,
  open: (side) => {
    const rows = sides[side];
    const names = sides[1][0].slice(1).map((_, i) => `c${i}`);
    const unit: Unit = { kind: 'id', column: 'who', maxRecords };
    const raw = rawMemorySource({
      columns: Object.fromEntries(names.map((own, i) => [own, rows.map((row) => row[i + 1])])),
      dataset: 'audit',
      unit,
      ids: rows.map(([who]) => who),
      // Nobody has more rows than the bound, but where that is the bug.
      random: seeded(1),
    });
    // Half of the delta for thresholds is kept for acts that are lost.
    const request: BudgetRequest = { rho, delta: 4 * delta, thresholds: { numerator: 1, denominator: 2 } };
    const budget = budgetOf(request);
    const primitives = exactPrimitives(webEntropy());
    const columns = names.map((own) => ({ name: own, known: [] }));
    let spent = 0;
    return {
      run: async () => {
        const account = groupAccount(budget.currency, budget.total, undefined, budget.thresholds);
        const parts: DiscoveryParts = {
          relation,
          unit,
          account,
          primitives,
          raw,
          running: {},
          thresholds: budget.thresholds,
        };
        const outcome = await run(discovering(plant?.(parts) ?? parts), columns);
        const { charges } = account;
        spent +=
          measure === 'delta'
            ? rationalNumber(thresholdDelta(charges)!)
            : amountToNumber(costOfAll(charges, budget.currency));
        return outcome;
      },
      spent: () => spent,
    };
  },
});

const manyOf = (count: number, ...values: string[]): Rows =>
  Array.from({ length: count }, (_, i) => [i + 1, ...values] as const);

/** Enough rows that their values pass nearly always: the sum of the noisy weights tells all. */
const usual = 20;
const abcd = ['a', 'b', 'c', 'd'];
const efgh = ['e', 'f', 'g', 'h'];

/** The noisy weights of the first values less those of others and what they are without the last unit, in quarters of what that moves them by. */
const summed = async (
  door: DiscoveryDoor,
  columns: Parameters<Setting['run']>[1],
  { base, moved }: { readonly base: number; readonly moved: number },
): Promise<number> => {
  const passed = await door.values(columns, 1, { parts: 1 });
  const sum = passed.reduce((all, { text, count }) => all + (abcd.includes(text) ? count : -count), 0);
  return clamp((4 * (sum - base)) / moved, -30, 30);
};

/** Whether anything is told that only one unit has. */
const toldNew = async (door: DiscoveryDoor, columns: Parameters<Setting['run']>[1]): Promise<number> =>
  (await door.values(columns, 1, { parts: 1 })).length > 0 ? 1 : 0;

/** Nobody, and one unit of three rows with three values of its own. */
const oneStranger: Pick<Setting, 'sides' | 'relation' | 'maxRecords' | 'rho' | 'delta' | 'measure'> = {
  sides: [
    [],
    [
      [1, 'p'],
      [1, 'q'],
      [1, 'r'],
    ],
  ],
  relation: 'add-remove',
  maxRecords: 3,
  // So little that what noise alone tells at an epsilon of 1/2 is below 1e-12.
  rho: 0.002,
  delta: 0.05,
  measure: 'delta',
};

const oneMore: Pick<Setting, 'relation' | 'maxRecords' | 'rho' | 'delta' | 'measure'> = {
  relation: 'add-remove',
  maxRecords: 1,
  rho: 0.5,
  delta: 0.01,
  measure: 'mu',
};

export const discoveryAudits: readonly Audit[] = [
  valuesAudit({
    ...oneMore,
    name: 'values of four columns, add-remove',
    sides: [manyOf(usual, ...abcd), manyOf(usual + 1, ...abcd)],
    run: (door, columns) => summed(door, columns, { base: 4 * usual * 128, moved: 4 * 128 }),
  }),
  valuesAudit({
    ...oneMore,
    name: 'values of four columns, replace-one',
    relation: 'replace-one',
    sides: [
      [...manyOf(usual, ...abcd), ...manyOf(usual + 1, ...efgh).map(([who, ...own]) => [who + 100, ...own] as const)],
      [...manyOf(usual + 1, ...abcd), ...manyOf(usual, ...efgh).map(([who, ...own]) => [who + 100, ...own] as const)],
    ],
    // From one side to the other the sum moves by the weights of two units.
    run: (door, columns) => summed(door, columns, { base: 0, moved: 8 * 128 }),
  }),
  valuesAudit({ ...oneStranger, name: 'values that one unit alone has', run: toldNew }),
  valuesAudit({
    ...oneStranger,
    name: 'planted: a threshold that forgets the noise',
    plant: (parts) => ({
      ...parts,
      primitives: { ...parts.primitives, passer: (sigmaSquared) => parts.primitives.passer(sigmaSquared, wholeWeight) },
    }),
    run: toldNew,
  }),
  valuesAudit({
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
