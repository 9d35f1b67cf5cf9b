import { describe, expect, it } from 'vitest';
import { discoveryFaults } from '../src/bundle/discovery-faults.js';
import { entryOf } from '../src/bundle/make-bundle.js';
import type { Manifest } from '../src/bundle/manifest.js';
import { openBundle } from '../src/bundle/open-bundle.js';
import { verifyBundle } from '../src/bundle/verify-bundle.js';
import type { ConstraintSpec, Determined } from '../src/domain/constraints/constraint.js';
import { parseDraft } from '../src/domain/discover/parse-draft.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { type DiscoverReleaseOptions, makeDiscovered } from '../src/flow/discover-release.js';
import { type BudgetRequest, budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { inspectLedger } from '../src/privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../src/privacy/ledger/new-ledger.js';
import { storedLedger } from '../src/privacy/ledger/stored-ledger.js';
import type { JournalEntry } from '../src/privacy/session/journal/journal.js';
import type { JournalHeader } from '../src/privacy/session/journal/journal-lines.js';
import type { Relation } from '../src/query/relation.js';
import type { Unit } from '../src/query/unit.js';
import { seeded } from '../src/random/seeded.js';
import { mechanismNamed } from '../src/release/registry.js';
import { memorySource } from '../src/source/memory-source.js';
import { rawMemorySource } from '../src/source/raw-memory-source.js';

const subs = ['A1', 'A2', 'B1', 'B2', 'C1'];
const length = 6000;
/** Sub-grades determine grades, but for one row in 101 and for C1, of which there are eight rows; the third column hangs on neither. */
const at = (i: number): string => (i < 8 ? 'C1' : subs[i % 4]);
const columns = {
  grade: Array.from({ length }, (_, i) => (i % 101 === 50 ? 'C' : at(i)[0])),
  sub: Array.from({ length }, (_, i) => at(i)),
  paid: Array.from({ length }, (_, i) => (i % 7 < 3 ? 'yes' : 'no')),
};
const draft = parseDraft({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'grade', type: 'category', values: ['A', 'B', 'C'] },
    { name: 'sub', type: 'category', values: subs },
    { name: 'paid', type: 'boolean' },
  ],
  constraints: [
    { from: 'sub', to: 'grade', map: 'discover', description: 'as the lender grades' },
    { from: 'sub', to: 'paid', map: 'discover' },
  ],
});
const budget: BudgetRequest = { epsilon: 2, delta: 1e-6 };

interface Told extends Partial<DiscoverReleaseOptions> {
  readonly store?: ReturnType<typeof memoryStore>;
  readonly unit?: Unit;
}

const make = async ({ store, unit, ...over }: Told = {}) => {
  const terms = {
    dataset: 'loans',
    budget: budgetOf(over.budget ?? budget),
    seeds: true,
    relation: over.relation,
    unit,
  };
  const bytes = store ?? memoryStore(firstLine(ledgerTerms(terms)));
  const ids = unit && Array.from({ length }, (_, i) => i % (length / 2));
  const owned = unit === undefined ? {} : { unit, ids, random: seeded(1) };
  const made = await makeDiscovered({
    raw: rawMemorySource({ columns, dataset: 'loans', ...owned }),
    draft,
    ledger: await storedLedger(bytes, { durable: false }),
    budget,
    mechanism: mechanismNamed('mst'),
    entropy: seededEntropy(5),
    seed: 3,
    threads: 1,
    bootstrap: 0,
    open: (schema) =>
      memorySource({ table: encodeTable(domainFromSchema(schema), columns), dataset: 'loans', threads: 1, ...owned }),
    ...over,
  });
  return { made, bytes };
};

const storeOf = (files: Readonly<Record<string, Uint8Array>>) => ({
  read: async (name: string) => files[name],
  describe: async (name: string) => (files[name] === undefined ? undefined : entryOf(name, files[name])),
  names: async () => Object.keys(files),
});
const mapIn = (constraints: readonly ConstraintSpec[] | undefined): Determined['map'] | undefined =>
  (constraints?.[0] as Determined | undefined)?.map;

/** Each sub-grade of which there are rows enough, with its grade. */
const truth = ['A1', 'A2', 'B1', 'B2'].map((sub) => [sub, sub[0]]);

describe('a release that learns a map between columns', () => {
  const unit: Unit = { kind: 'id', column: 'who', maxRecords: 2 };
  it.each<[string, Told]>([
    ['add-remove, rows', {}],
    ['replace-one, rows', { relation: 'replace-one' as Relation }],
    ['add-remove, ids', { unit, budget: { epsilon: 4, delta: 1e-6 } }],
    ['replace-one, ids', { unit, relation: 'replace-one' as Relation, budget: { epsilon: 4, delta: 1e-6 } }],
    ['a pure budget', { budget: { epsilon: 2 } }],
  ])('keeps what is safe, says what is free, and every row keeps it: %s', async (_, told) => {
    const { made, bytes } = await make(told);
    const { manifest, model } = openBundle(made.files);
    const { constraints } = manifest.schema;
    expect(constraints).toHaveLength(1);
    expect(mapIn(constraints)).toEqual(truth);
    expect(constraints?.[0].description).toMatch(
      /^as the lender grades Learned with noise, for 4 of 5 values; not safe to say of, and free: C1\.$/,
    );
    expect(made.notes).toEqual([
      { column: 'sub -> grade', note: 'learned with noise, for 4 of 5 values; not safe to say of, and free: C1' },
      {
        column: 'sub -> paid',
        note: 'not learned: of no value it is safe to say what it gives; write the map down if it is known',
      },
    ]);
    const counts = 'marginal' in model ? model.marginal(['sub', 'grade']) : [];
    for (const [sub, grade] of truth)
      for (const [cell, own] of ['A', 'B', 'C'].entries())
        if (own !== grade) expect(counts[3 * subs.indexOf(sub) + cell]).toBe(0);
    const { faults } = await verifyBundle(storeOf(made.files), await inspectLedger(bytes));
    expect(faults).toEqual([]);
    expect(new TextDecoder().decode(made.files['report.html'])).toContain('Learned with noise, for 4 of 5 values');
  });

  it('is found out with another map, another count, a charge for less, and an act that is missing', async () => {
    const { made } = await make();
    const { manifest } = openBundle(made.files);
    const changed = async (over: Partial<Manifest>) => (await discoveryFaults({ ...manifest, ...over })).faults;
    expect(await changed({})).toEqual([]);
    const { schema, discovery } = manifest;
    const [first] = schema.constraints as readonly Determined[];
    const swapped = { ...first, map: truth.map(([sub]) => [sub, 'A']) };
    expect(await changed({ schema: { ...schema, constraints: [swapped] } })).not.toEqual([]);
    const withActs = (acts: NonNullable<Manifest['discovery']>['acts']) => ({ discovery: { ...discovery!, acts } });
    const flipped = discovery!.acts.map((act) =>
      act.act === 'together' ? { ...act, counts: act.counts.map((own) => own.toReversed()) } : act,
    );
    expect(await changed(withActs(flipped))).not.toEqual([]);
    expect(await changed(withActs(discovery!.acts.slice(0, 1)))).not.toEqual([]);
    const cheaper = manifest.charges.map((act) => ({
      ...act,
      charges: act.charges.map((charge) =>
        charge.kind === 'gaussian' ? { ...charge, sensitivitySquared: { numerator: 1n, denominator: 2n } } : charge,
      ),
    }));
    expect(await changed({ charges: cheaper })).not.toEqual([]);
  });

  it('goes on where it was interrupted, and draws no noise twice', async () => {
    const { made: whole } = await make();
    const store = memoryStore(firstLine(ledgerTerms({ dataset: 'loans', budget: budgetOf(budget), seeds: true })));
    const entries: JournalEntry[] = [];
    let header: JournalHeader | undefined;
    const run = (failAt: number) =>
      make({
        store,
        journal: {
          how: 'again',
          found: header && { header, entries: [...entries], whole: 0 },
          begin: async (own: JournalHeader) => {
            header = own;
          },
          append: async (entry: JournalEntry) => {
            entries.push(entry);
            if (entries.length === failAt) throw new Error('killed');
          },
        },
      });
    for (const failAt of [2, 4]) await expect(run(failAt)).rejects.toThrow('killed');
    const { made } = await run(-1);
    expect(made.schema).toEqual(whole.schema);
    expect(made.manifest.privacy.spent).toEqual(whole.manifest.privacy.spent);
    expect((await verifyBundle(storeOf(made.files), await inspectLedger(store))).faults).toEqual([]);
  });

  it('is not asked for a map that noise would drown, pays nothing for it, and says so', async () => {
    const { made } = await make({ budget: { epsilon: 0.01, delta: 1e-6 } });
    expect(made.schema.constraints).toBeUndefined();
    expect(made.notes.map(({ note }) => note)).toEqual([
      expect.stringMatching(/^not asked for: there is too little of the budget/),
      expect.stringMatching(/^not asked for: there is too little of the budget/),
    ]);
    expect(made.manifest.discovery?.acts.map(({ act }) => act)).toEqual(['total']);
  });
});
