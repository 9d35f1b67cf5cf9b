import { beforeAll, describe, expect, it } from 'vitest';
import { discoveryFaults } from '../bundle/discovery-faults.js';
import { entryOf } from '../bundle/make-bundle.js';
import type { Manifest } from '../bundle/manifest.js';
import { openBundle } from '../bundle/open-bundle.js';
import { verifyBundle } from '../bundle/verify-bundle.js';
import type { Draft } from '../domain/discover/draft.js';
import { parseDraft } from '../domain/discover/parse-draft.js';
import { encodeTable } from '../domain/encode/encode-table.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import { amountToNumber } from '../privacy/accounting/amount.js';
import { budgetOf } from '../privacy/accounting/budget.js';
import { seededEntropy } from '../privacy/entropy.js';
import { inspectLedger } from '../privacy/ledger/inspect-ledger.js';
import { memoryStore } from '../privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../privacy/ledger/new-ledger.js';
import { storedLedger } from '../privacy/ledger/stored-ledger.js';
import type { JournalEntry } from '../privacy/session/journal/journal.js';
import type { JournalHeader } from '../privacy/session/journal/journal-lines.js';
import { seeded } from '../random/seeded.js';
import { uniform } from '../random/uniform.js';
import { NothingFound } from '../release/discover/nothing-found.js';
import { mechanismNamed } from '../release/registry.js';
import { memorySource } from '../source/memory-source.js';
import { rawMemorySource } from '../source/raw-memory-source.js';
import { type DiscoverReleaseOptions, makeDiscovered } from './discover-release.js';
import type { Forecast } from './forecast.js';

const random = seeded(5);
const pick = <T>(list: readonly T[]): T => list[Math.floor(uniform(random) * list.length)];
const length = 4000;
const columns = {
  town: Array.from({ length }, (_, i) => (i === 17 ? 'a village of one' : pick(['Aden', 'Bern', 'Cork', 'Cork', '']))),
  income: Array.from({ length }, () => String(Math.round(1000 + 9000 * uniform(random) ** 2))),
  born: Array.from(
    { length },
    () => `${pick([1, 9, 17, 28])}.${pick([2, 5, 11])}.${1950 + Math.floor(50 * uniform(random))}`,
  ),
  class: Array.from({ length }, () => pick(['1', '2', '3'])),
  note: Array.from({ length }, (_, i) => `free text ${i}`),
};
const draft: Draft = parseDraft({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'town', type: 'discover' },
    { name: 'income', type: 'number', edges: 'discover' },
    { name: 'born', type: 'discover' },
    { name: 'class', type: 'discover' },
    { name: 'note', type: 'text' },
  ],
});
const budget = { epsilon: 10, delta: 1e-6 };

/** The table by a schema, with dates as the schema says they are written. */
const tableBy = (schema: Schema) => {
  const iso = columns.born.map((text) =>
    text.replace(/^(\d+)\.(\d+)\.(\d+)$/, (_, d, m, y) => `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`),
  );
  return encodeTable(domainFromSchema(schema), { ...columns, born: iso });
};

const make = async (over: Partial<DiscoverReleaseOptions> = {}, store?: ReturnType<typeof memoryStore>) => {
  const terms = ledgerTerms({
    dataset: 'clinic',
    budget: budgetOf({ epsilon: 40, delta: 1e-6 }),
    seeds: true,
    relation: over.relation,
  });
  const bytes = store ?? memoryStore(firstLine(terms));
  const ledger = await storedLedger(bytes, { durable: false });
  const raw = rawMemorySource({ columns, dataset: 'clinic' });
  const made = await makeDiscovered({
    raw,
    draft,
    ledger,
    budget,
    mechanism: mechanismNamed('residual-planner') ?? 'auto',
    entropy: seededEntropy(11),
    seed: 3,
    threads: 1,
    bootstrap: 0,
    open: (schema) => memorySource({ table: tableBy(schema), dataset: 'clinic', threads: 1 }),
    ...over,
  });
  return { made, bytes };
};

const storeOf = (files: Readonly<Record<string, Uint8Array>>) => ({
  read: async (name: string) => files[name],
  describe: async (name: string) => (files[name] === undefined ? undefined : entryOf(name, files[name])),
  names: async () => Object.keys(files),
});

describe('a release whose schema is asked for', () => {
  let first: Awaited<ReturnType<typeof make>>;
  beforeAll(async () => {
    first = await make();
  });

  it('finds types, values, edges and formats, and leaves free text out with a word', () => {
    const { schema, notes } = first.made;
    const [town, income, born, cls] = schema.attributes;
    expect(town).toMatchObject({ type: 'category', values: ['Aden', 'Bern', 'Cork'], other: 'other', null: true });
    expect(income.type).toBe('number');
    const { edges = [] } = income as { readonly edges?: readonly number[] };
    expect(edges[0]).toBeGreaterThan(500);
    expect(edges[edges.length - 1]).toBeLessThan(15_000);
    expect(born).toMatchObject({ type: 'date', by: 'year', null: true });
    expect((born as { min: string }).min >= '1940' && (born as { max: string }).max < '2010').toBe(true);
    expect(schema.table).toEqual({ columns: { born: { date: 'D.M.YYYY' } } });
    expect(cls).toMatchObject({ type: 'integer', min: 1, max: 3 });
    expect(schema.origin).toEqual({ kind: 'discovered' });
    expect(notes).toContainEqual({ column: 'note', note: 'left out: it is declared as free text' });
  });

  it('gives a bundle that verifies with its ledger, whose delta holds the thresholds', async () => {
    const { made, bytes } = first;
    const inspection = await inspectLedger(bytes);
    const { faults } = await verifyBundle(storeOf(made.files), inspection);
    expect(faults).toEqual([]);
    const { privacy, budget: kept } = openBundle(made.files).manifest;
    // 1/10 of delta is for thresholds, of which half is kept for acts that may be lost: one column of values took the other half.
    expect([kept.delta, privacy.delta, inspection.status.thresholds]).toEqual(['9e-7', '9.5e-7', '5e-8']);
    expect(privacy.text).toContain('but for a chance of 5e-8');
    expect(Number(privacy.epsilon)).toBeLessThanOrEqual(10);
  });

  it('never tells a value that did not pass, anywhere', () => {
    for (const bytes of Object.values(first.made.files)) {
      const text = new TextDecoder('latin1').decode(bytes);
      expect(text).not.toContain('village');
      expect(text).not.toContain('free text 1');
    }
  });

  it.each<[string, (manifest: Manifest) => unknown]>([
    [
      'a value below the threshold',
      ({ discovery }) => ({
        discovery: {
          ...discovery!,
          acts: discovery!.acts.map((act) =>
            act.act === 'values'
              ? { ...act, passed: [...act.passed, { column: 0, text: 'Oslo', weight: 12 * 256 }] }
              : act,
          ),
        },
      }),
    ],
    ['another schema', ({ schema }) => ({ schema: { ...schema, attributes: schema.attributes.slice(0, 3) } })],
    ['an act that is missing', ({ discovery }) => ({ discovery: { ...discovery!, acts: discovery!.acts.slice(1) } })],
    ['charges of another act', ({ charges }) => ({ charges: charges.toReversed() })],
    [
      'values charged for half of what a unit brings',
      ({ charges }) => ({
        charges: charges.map((act) =>
          act.charges.some(({ kind }) => kind === 'threshold')
            ? {
                ...act,
                charges: act.charges.map((charge) =>
                  charge.kind === 'gaussian'
                    ? { ...charge, sensitivitySquared: { numerator: 1n, denominator: 2n } }
                    : charge,
                ),
              }
            : act,
        ),
      }),
    ],
  ])('is found out with %s', async (_, change) => {
    const { manifest } = openBundle(first.made.files);
    const { faults } = await discoveryFaults({ ...manifest, ...(change(manifest) as Partial<Manifest>) });
    expect(faults).not.toEqual([]);
  });

  /** A ledger and a journal that outlive runs, which are killed behind an entry. */
  const disk = () => {
    const terms = ledgerTerms({ dataset: 'clinic', budget: budgetOf({ epsilon: 40, delta: 1e-6 }), seeds: true });
    const store = memoryStore(firstLine(terms));
    const entries: JournalEntry[] = [];
    const kept: { header?: JournalHeader | undefined } = {};
    const run = (failAt: number, over: Partial<DiscoverReleaseOptions> = {}) =>
      make(
        {
          ...over,
          journal: {
            how: 'again',
            found: kept.header && { header: kept.header, entries: [...entries], whole: 0 },
            begin: async (own: JournalHeader) => {
              kept.header = own;
            },
            append: async (entry: JournalEntry) => {
              entries.push(entry);
              if (entries.length === failAt) throw new Error('killed');
            },
          },
        },
        store,
      );
    return { store, kept, run };
  };

  it('goes on where it was interrupted, act by act, to the same release', async () => {
    const { store, run } = disk();
    // Behind the end of the first, second, ... act of the discovery: nothing is lost and nothing is drawn twice.
    for (const failAt of [2, 4, 6, 8]) await expect(run(failAt)).rejects.toThrow('killed');
    const { made } = await run(-1);
    expect(made.schema).toEqual(first.made.schema);
    expect(made.manifest.privacy.spent).toEqual(first.made.manifest.privacy.spent);
    const { faults } = await verifyBundle(storeOf(made.files), await inspectLedger(store));
    expect(faults).toEqual([]);
  });

  it('stays within limits by the speed of the machine that it began on, tells its forecast, and says what it gave up', async () => {
    const { kept, run } = disk();
    const forecasts: Forecast[] = [];
    const over = { bootstrap: 8, onForecast: (forecast: Forecast) => forecasts.push(forecast) };
    const [plain] = [await make(over)];
    // One byte less than it would take: some replicates are given up.
    const limits = { bytes: forecasts[0].memory - 1, seconds: 1e6 };
    await expect(run(4, { ...over, limits })).rejects.toThrow('killed');
    const { header } = kept;
    // On a machine that is so much slower it could not go on within a million seconds.
    const slow = Object.fromEntries(Object.entries(header!.rates!).map(([kind, rate]) => [kind, 1e9 * rate]));
    kept.header = { ...header!, rates: slow as unknown as JournalHeader['rates'] };
    await expect(run(-1, { ...over, limits })).rejects.toThrow(/^time: must allow/);
    kept.header = header;
    const { made } = await run(-1, { ...over, limits });
    expect(made.manifest.configuration?.limits?.gaveUp).toEqual([expect.stringContaining('in place of 8')]);
    expect(plain.made.manifest.configuration?.limits).toBeUndefined();
  });

  it('that finds nothing ends, and gives back what it did not spend', async () => {
    const { store, run } = disk();
    const nobody = rawMemorySource({ columns: { town: [] }, dataset: 'clinic' });
    const towns = parseDraft({ ...draft, attributes: [{ name: 'town', type: 'category', values: 'discover' }] });
    await expect(run(-1, { raw: nobody, draft: towns })).rejects.toThrow(NothingFound);
    const { status, runs } = await inspectLedger(store);
    expect([runs, amountToNumber(status.reserved)]).toEqual([[], 0]);
    const [spent, total] = [status.spent, budgetOf(budget).total].map(amountToNumber);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThan(0.34 * total);
  });

  it('refuses before anything is spent what cannot be asked for', async () => {
    await expect(make({ budget: { epsilon: 1 } })).rejects.toThrow(
      'values of columns can be asked for with a delta only',
    );
    await expect(make({ outside: 'stop' })).rejects.toThrow('rare values have to go somewhere');
    await expect(make({ discoverShare: 1 })).rejects.toThrow('must be above 0 and at most 0.9');
  });
});
