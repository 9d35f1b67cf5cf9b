import type { Draft as AskingSchema, DraftAttribute, LearnedSchema, Schema } from '../../src/index.js';
import type { App } from '../app.js';
import type { ShownDemo } from '../core/table-jobs.js';
import type { Role, ShownTable } from '../core/work.js';
import { type Draft, type EditedColumn, freshDraft, held, isWhole } from '../state.js';

/** Persons of a household at most, until somebody says otherwise. */
const usualSize = 6;

const declared: Draft['base'] = { origin: { kind: 'declared' } };

/** A change of tables leaves nothing of what was worked out for the old ones. */
const stale = {
  plan: undefined,
  planAsking: undefined,
  rehearsal: [],
  ledger: undefined,
  ledgerFile: undefined,
} as const;

const learnedColumns = ({ schema, notes }: LearnedSchema, names: readonly string[]): EditedColumn[] => [
  ...schema.attributes.map((spec) => ({
    name: spec.name,
    isKept: true,
    spec,
    note: notes.find(({ column }) => column === spec.name)?.note,
  })),
  ...notes
    .filter(({ column }) => column !== '' && !schema.attributes.some(({ name }) => name === column))
    .map(({ column, note }) => ({ name: column, isKept: false, spec: undefined, note })),
  ...names
    .filter(
      (name) => !schema.attributes.some((own) => own.name === name) && !notes.some(({ column }) => column === name),
    )
    .map((name) => ({ name, isKept: false, spec: undefined, note: undefined })),
];

const baseOf = ({
  $schema,
  origin,
  table,
  unit,
  constraints,
  twoLevel,
}: Omit<AskingSchema, 'attributes'>): Draft['base'] => ({
  $schema,
  origin,
  table,
  unit,
  constraints,
  twoLevel,
});

/** Columns by a schema: what the private table has beside is left out. */
const takeSchema = (app: App, learned: LearnedSchema, names: readonly string[]): void =>
  app.draft({ columns: learnedColumns(learned, names), base: baseOf(learned.schema) });

/** Columns by a schema file, which may leave something to be asked for. */
export const takeSchemaFile = (app: App, schema: Schema | AskingSchema): void => {
  const names = app.state.draft.private?.names ?? [];
  const attributes: readonly DraftAttribute[] = schema.attributes;
  const columns = attributes.map(
    (spec): EditedColumn => ({
      name: spec.name,
      isKept: !['text', 'id', 'key'].includes(spec.type),
      spec: isWhole(spec) ? spec : undefined,
      note: undefined,
      ...(isWhole(spec) ? {} : { asks: true }),
    }),
  );
  const rest = names
    .filter((name) => !attributes.some((own) => own.name === name))
    .map((name) => ({ name, isKept: false, spec: undefined, note: undefined }));
  app.draft({ columns: [...columns, ...rest], base: baseOf(schema) });
};

/** The tables of a demo, as the page notes that the worker has them. */
export const heldByDemo = ({ private: hidden, homes, public: open, publicHomes }: ShownDemo): readonly string[] => [
  held('private', hidden.name),
  ...(homes === undefined ? [] : [held('homes', homes.name)]),
  held('public', open.name),
  ...(publicHomes === undefined ? [] : [held('publicHomes', publicHomes.name)]),
];

export const startDemo = (app: App, rows: number, homes: boolean): Promise<void> =>
  app
    .busily(app.words.working, async (running) => {
      const demo = { rows, seed: 1, homes };
      const tables = await app.core.demo(demo, running);
      app.set({ ...stale, has: heldByDemo(tables), release: undefined, ways: undefined });
      app.draft({
        ...freshDraft,
        private: tables.private,
        homes: tables.homes,
        publics: [tables.public],
        publicHomes: tables.publicHomes,
        demo,
      });
      takeSchema(app, tables.learned, []);
      app.go('columns');
    })
    .then(() => undefined);

const sameNames = (one: ShownTable, other: ShownTable): boolean => one.names.join('\n') === other.names.join('\n');

const nowHeld = (app: App, role: Role, name: string): void =>
  app.set({ ...stale, has: [...new Set([...app.state.has, held(role, name)])] });

/** The columns of the private tables by what their names say. */
const guessColumns = async (app: App): Promise<void> => {
  const { private: table, homes } = app.state.draft;
  if (table === undefined) return;
  if (homes === undefined) {
    app.draft({ columns: await app.core.guess({ names: table.names }), base: declared });
    return;
  }
  const key = keyOf(table, homes);
  const household = homes.names.filter((name) => name !== key);
  const names = [...household, ...table.names.filter((name) => name !== key && !household.includes(name))];
  const columns = await app.core.guess({ names });
  app.draft({ columns, base: { ...declared, twoLevel: { key, household, maxSize: usualSize } } });
};

/** The column that two tables share and that says which household a person is of: the one whose name says so, or else the first. */
const keyOf = (persons: ShownTable, homes: ShownTable): string => {
  const shared = homes.names.filter((name) => persons.names.includes(name));
  return shared.find((name) => /id$|_id|key|nr$|no$|number/i.test(name)) ?? shared[0] ?? homes.names[0];
};

export const choosePrivate = (app: App, file: File, role: 'private' | 'homes'): Promise<void> =>
  app
    .busily(app.words.working, async (running) => {
      const { draft } = app.state;
      const table = await app.core.choosePrivate({ file, role }, running);
      const old = draft[role];
      const isSame = old !== undefined && old.name === table.name && sameNames(old, table);
      nowHeld(app, role, table.name);
      app.draft({ [role]: table, demo: undefined });
      if (isSame && draft.columns.length > 0) return;
      if (draft.publics.length === 0) await guessColumns(app);
    })
    .then(() => undefined);

/** Takes a public table: the first one teaches the columns. */
export const choosePublic = (app: App, file: File): Promise<void> =>
  app
    .busily(app.words.working, async (running) => {
      const { draft, has } = app.state;
      const at = draft.publics.findIndex(({ name }) => name === file.name);
      // After a reload the first one is chosen again; beside it every other one is a further table.
      const isFirst = draft.publics.length === 0 || (at === 0 && !has.includes(held('public', file.name)));
      const isAgain = at >= 0 && draft.publics[at].bytes === file.size && draft.columns.length > 0;
      const { table, learned } = await app.core.choosePublic({ file, more: !isFirst }, running);
      nowHeld(app, 'public', table.name);
      const others = draft.publics.filter(({ name }) => name !== table.name);
      const publics = at < 0 ? [...others, table] : draft.publics.map((own, i) => (i === at ? table : own));
      app.draft({ publics, demo: undefined });
      // What was edited before a reload stays edited.
      if (!isAgain && learned !== undefined) takeSchema(app, learned, []);
    })
    .then(() => undefined);

/** Takes the public households, whose persons are the public table. */
export const choosePublicHomes = (app: App, file: File): Promise<void> =>
  app
    .busily(app.words.working, async (running) => {
      const { draft } = app.state;
      const { twoLevel } = draft.base;
      const [first] = draft.publics;
      const isAgain = draft.publicHomes?.name === file.name && draft.publicHomes.bytes === file.size;
      const names = await app.core.namesOf({ file });
      const key = twoLevel?.key ?? keyOf(first, { name: file.name, bytes: file.size, names, rows: undefined });
      const told = { file, key, maxSize: twoLevel?.maxSize ?? usualSize };
      const { table, learned } = await app.core.choosePublicHomes(told, running);
      nowHeld(app, 'publicHomes', table.name);
      app.draft({ publicHomes: table, demo: undefined });
      if (!isAgain) takeSchema(app, learned, []);
    })
    .then(() => undefined);

export const dropTable = async (app: App, role: Role, name: string): Promise<void> => {
  await app.core.dropTable({ role, name });
  const { draft } = app.state;
  const publics = role === 'public' ? draft.publics.filter((table) => table.name !== name) : draft.publics;
  const isLast = role === 'public' && publics.length === 0;
  app.set({ ...stale, has: app.state.has.filter((one) => one !== held(role, name)) });
  app.draft({
    demo: undefined,
    together: 'together',
    publics,
    ...(role === 'public' ? {} : { [role]: undefined }),
    ...(role === 'private' ? { homes: undefined } : {}),
    ...(isLast ? { publicHomes: undefined } : {}),
  });
  // What was learned from a table that is no more goes with it.
  if (isLast || role === 'publicHomes' || (role === 'homes' && publics.length === 0)) {
    app.draft({ columns: [], base: declared });
    await guessColumns(app);
  }
};
