import {
  type ChosenFile,
  discoverBlob,
  keptReleases,
  pageLedgers,
  type ReleaseNote,
  releaseBlob,
} from '../../adapters/browser/index.js';
import { parseDraft, planDiscovery, seededEntropy } from '../../src/advanced.js';
import {
  type Manifest,
  type PlannedDiscovery,
  type PublicTable,
  parseSchema,
  planRelease,
  type Running,
} from '../../src/index.js';
import { publicCounts } from './columns.js';
import { type ShownPlan, shownPlan } from './plan.js';
import { budgetAsked, publicsOf, type Told } from './told.js';
import { database, marksOf, open, privateTables, publicsBy, type ShownRelease, threads, work } from './work.js';

declare const __SOFTWARE__: string;

/** What is told of a release, as it is planned. */
const planned = async (told: Told, running: Running) => ({
  ...running,
  schema: parseSchema(told.schema),
  outside: told.outside,
  mechanism: told.mechanism as 'auto',
  expectedRows: told.expectedRows,
  ...publicsOf(await publicsBy(told.schema, told.outside, running), told.publics),
  threads: { threads },
});

/** Whom a draft protects. */
const draftUnit = ({ unit }: NonNullable<Told['draft']>) =>
  unit === undefined
    ? ({ kind: 'row', maxRecords: 1 } as const)
    : ({ kind: 'id', column: unit.id, maxRecords: unit.maxRecords } as const);

/** Public records of every cell, of the table that served: of several that served together, as much of each. */
const countsOf = (tables: readonly PublicTable[], { public: served }: Manifest): number[][] | undefined => {
  if (tables.length === 0) return undefined;
  const one = tables.find(({ name }) => name === served?.file);
  if (one !== undefined) return publicCounts(one.table);
  const all = tables.map(({ table }) => publicCounts(table));
  return all[0].map((cells, a) =>
    cells.map((_, cell) => all.reduce((sum, counts, t) => sum + (1000 * counts[a][cell]) / tables[t].table.length, 0)),
  );
};

export const releaseJobs = {
  /** What the budget would buy, from public facts alone. */
  plan: async ({ told }: { told: Told }, running: Running): Promise<ShownPlan> =>
    shownPlan(await planRelease({ ...(await planned(told, running)), budget: budgetAsked(told) })),
  /** What would be asked of the private table for its columns, from what is told alone. */
  planAsking: async ({ told }: { told: Told }): Promise<PlannedDiscovery> =>
    planDiscovery({
      draft: parseDraft(told.draft),
      budget: budgetAsked(told),
      unit: draftUnit(told.draft!),
      expectedRows: told.expectedRows,
    }),
  /** One half of the public table plays the private one: how far off the release is, on average over pairs of attributes. */
  rehearse: async ({ told, epsilon }: { told: Told; epsilon: string }, running: Running) => {
    const { rehearsal } = await planRelease({
      ...(await planned(told, running)),
      budget: budgetAsked({ ...told, epsilon }),
      bootstrap: 0,
      rehearse: true,
    });
    return { error: rehearsal!.error.mean, asIs: rehearsal!.asIs.error.mean, rows: rehearsal!.rows };
  },
  /** Makes the release: from here on the budget is spent. */
  release: async (
    { told, resume, ledgerFile }: { told: Told; resume?: boolean | undefined; ledgerFile?: ChosenFile | undefined },
    running: Running,
  ): Promise<ShownRelease> => {
    const { schema, outside, expectedRows, seed, unsafeSeed, allowance, draft } = told;
    const chosen = privateTables();
    const tables = draft === undefined ? await publicsBy(schema, outside, running) : [];
    const kept = keptReleases(await database());
    let note: ReleaseNote | undefined;
    const common = {
      ...running,
      private: chosen,
      outside,
      budget: budgetAsked(told),
      allowance: allowance === undefined ? undefined : budgetAsked({ epsilon: allowance, delta: told.delta }),
      mechanism: told.mechanism as 'auto',
      expectedRows,
      seed,
      entropy: unsafeSeed === undefined ? undefined : seededEntropy(unsafeSeed),
      title: told.title,
      software: __SOFTWARE__,
      threads,
      resume,
      ledgerFile,
      keep: async (made: Parameters<Parameters<typeof releaseBlob>[1]['keep']>[0]) => {
        const ledgers = pageLedgers(await database());
        const ledger = await ledgers.find(await marksOf(chosen, {}), unsafeSeed !== undefined);
        note = {
          release: made.manifest.release,
          title: told.title ?? chosen.table.name,
          made: Date.now(),
          counts: countsOf(tables, made.manifest),
          ledger: ledger?.id,
        };
        await kept.put(note, made.files);
      },
    };
    const { files } =
      draft === undefined
        ? await releaseBlob(await database(), {
            ...common,
            ...publicsOf(tables, told.publics),
            publicFiles: work.publicHomes === undefined ? work.publics : [...work.publics, work.publicHomes],
            schema: parseSchema(schema),
          })
        : await discoverBlob(await database(), { ...common, draft: parseDraft(draft) });
    return open(note!, files);
  },
} as const;
