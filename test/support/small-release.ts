import { makeBundle } from '../../src/bundle/make-bundle.js';
import { encodeTable } from '../../src/domain/encode/encode-table.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import { reweighted, supportOf } from '../../src/model/support/support.js';
import { supportModel } from '../../src/model/support/support-model.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { memoryLedger } from '../../src/privacy/ledger/memory-ledger.js';
import { exactPrimitives, type Primitives } from '../../src/privacy/primitives.js';
import { sessionOn } from '../../src/privacy/session/open-session.js';
import type { Session } from '../../src/privacy/session/session.js';
import { marginal } from '../../src/query/marginal.js';
import { prefix } from '../../src/query/query.js';
import type { Relation } from '../../src/query/relation.js';
import type { Unit } from '../../src/query/unit.js';
import type { Released } from '../../src/release/released.js';
import { plainSource, type Row } from './plain-source.js';

/** Attributes a (3 cells), b (2) and c (300: two bytes a code). */
export const schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'a', type: 'integer', min: 0, max: 2 },
    { name: 'b', type: 'category', values: ['no', 'yes'] },
    { name: 'c', type: 'integer', min: 0, max: 299 },
  ],
});
export const domain = domainFromSchema(schema);
export const publicTable = encodeTable(domain, {
  a: [0, 1, 2, 2, 1, 0],
  b: ['no', 'yes', 'no', 'yes', 'no', 'no'],
  c: [0, 17, 299, 40, 41, 0],
});
export const prior = supportOf(publicTable);
export const rows: Row[] = [
  [0, 0, 3],
  [1, 1, 17],
  [2, 1, 299],
  [2, 0, 4],
];

/** A mechanism that uses every primitive: a total, a choice, Gaussian or Laplace noise, groups; and scales the prior by what it measured. */
const everything = async (session: Session): Promise<Released> => {
  const counted = await session.total(0.1);
  const candidates = ['a', 'b'].map((name) => ({
    query: marginal(name),
    reference: supportModel(prior, 4).marginal([name]),
  }));
  const worst = ['a', 'b'][await session.select(candidates, 0.1)];
  const measured = await session.measure([marginal(worst), marginal('a', 'b'), prefix('c')], 0.5);
  const inGroups = await session.partition(['b'], 0.2, async (groups) => {
    const each = [];
    for (const group of groups) each.push(...(await group.measure([marginal('a')], 1)));
    return each;
  });
  const column = prior.columns[worst === 'a' ? 0 : 1];
  const weights = prior.weights.map((weight, row) => weight * Math.max(0.1, measured[0].values[column[row]]));
  return {
    model: supportModel(reweighted(prior, weights), Math.max(1, counted.values[0])),
    measurements: [counted, ...measured, ...inGroups],
    notes: { worst },
  };
};

export interface SmallRelease {
  /** What makes the release; one that uses every primitive by default. */
  readonly make?: (session: Session) => Promise<Released>;
  readonly table?: readonly Row[];
  readonly primitives?: Primitives;
  readonly relation?: Relation;
  readonly unit?: Unit;
  readonly budget?: BudgetRequest;
}

/** The files of a small release, and its released model. The ledger's tip is a fixed one: real ones hold a nonce. */
export const smallRelease = async (options: SmallRelease = {}) => {
  const budget = options.budget ?? { epsilon: 3, delta: 1e-6 };
  const source = plainSource(domain, options.table ?? rows, options.unit === undefined ? {} : { unit: options.unit });
  const { primitives = exactPrimitives(seededEntropy(5)), relation = 'add-remove' } = options;
  const ledger = await memoryLedger(budgetOf(budget), source.dataset, { relation, unit: source.unit });
  const session = sessionOn({ source, budget, ledger, relation, release: '5e'.repeat(16) }, primitives, true);
  const released = await (options.make ?? everything)(session);
  await session.close();
  const files = makeBundle({
    released,
    session,
    ledger: { dataset: source.dataset, records: 1, tip: 'ab'.repeat(32) },
    schema,
    mechanism: { name: 'everything', options: { rounds: 1 } },
    software: 'test',
  });
  return { files, released, ledger, acts: session.acts() };
};
