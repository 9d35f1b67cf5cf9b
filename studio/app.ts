import type { AttributeSpec, LearnedSchema, Progress, Running, Schema } from '../src/index.js';
import { type Calls, Refusal, Stopped } from './core/channel.js';
import type { ShownTable, StudioJobs } from './core/jobs.js';
import { download } from './parts/download.js';
import {
  type Draft,
  type EditedColumn,
  freshDraft,
  freshState,
  isOpen,
  type State,
  type Step,
  schemaOf,
  toldOf,
} from './state.js';
import { type Language, languages, type Words } from './words.js';

/** The page's state, and everything that a person can do to it. */
export interface App {
  readonly state: State;
  readonly words: Words;
  readonly core: Calls<StudioJobs>;
  set(change: Partial<State>): void;
  draft(change: Partial<Draft>): void;
  go(step: Step): void;
  /** Does something long: shows that it is under way, and says what went wrong. */
  busily<T>(what: string, work: (running: Running) => Promise<T>, canStop?: boolean): Promise<T | undefined>;
  speak(language: Language): void;
}

/** Budgets at which a rehearsal runs. */
const rehearsed = ['0.1', '0.3', '1', '3', '10'];

export const makeApp = (core: Calls<StudioJobs>, draw: (app: App) => void): App => {
  let state: State = freshState;
  let saving: ReturnType<typeof setTimeout> | undefined;
  const set: App['set'] = (change) => {
    state = { ...state, ...change };
    draw(app);
  };
  const keep = (): void => {
    clearTimeout(saving);
    saving = setTimeout(
      () =>
        void core.keepDraft({
          draft: { draft: state.draft, step: state.step, language: state.language, release: state.release?.release },
        }),
      250,
    );
  };
  const trouble = (error: unknown): void => {
    if (error instanceof Stopped) return;
    const isTheirs = error instanceof Refusal;
    if (!isTheirs) console.error(error);
    set({
      trouble: isTheirs
        ? error.message
        : `${app.words.ours} (${error instanceof Error ? error.message : String(error)})`,
    });
  };
  const app: App = {
    get state() {
      return state;
    },
    get words() {
      return languages[state.language];
    },
    core,
    set,
    draft: (change) => {
      set({ draft: { ...state.draft, ...change } });
      keep();
    },
    go: (step) => {
      if (!isOpen(state, step)) return;
      set({ step, trouble: undefined });
      if (location.hash !== `#${step}`) history.pushState(null, '', `#${step}`);
      keep();
      arrive(app, step);
      document.querySelector<HTMLElement>('h1')?.focus();
      scrollTo({ top: 0 });
    },
    busily: async (what, work, canStop = true) => {
      const controller = new AbortController();
      const busy = { what, progress: undefined, stop: canStop ? () => controller.abort() : undefined };
      set({ busy, trouble: undefined });
      try {
        return await work({
          signal: controller.signal,
          onProgress: (progress: Progress) => set({ busy: { ...busy, progress } }),
        });
      } catch (error) {
        trouble(error);
        return undefined;
      } finally {
        set({ busy: undefined });
      }
    },
    speak: (language) => {
      document.documentElement.lang = language;
      set({ language });
      keep();
    },
  };
  return app;
};

/** What a screen needs when it is come to. */
export const arrive = (app: App, step: Step): void => {
  if (step === 'tables') void refreshKept(app);
  if (step === 'columns') void lookAtColumns(app);
  if (step === 'budget') void planSoon(app, 0);
  if (step === 'release') {
    void askLedger(app);
    void planSoon(app, 0);
  }
  if (step === 'look' && app.state.ways === undefined && app.state.release !== undefined) void look(app);
};

const refreshKept = async (app: App): Promise<void> => {
  const [kept, ledgers] = await Promise.all([app.core.releases({}), app.core.ledgers({})]);
  app.set({ kept, ledgers });
};

/** Comes back to where the person was: what was said is kept, the demo's tables are made again, others are chosen again. */
export const restore = async (app: App): Promise<void> => {
  const kept = (await app.core.draft({})) as
    | { readonly draft?: Draft; readonly step?: Step; readonly language?: Language; readonly release?: string }
    | undefined;
  const language = kept?.language ?? (navigator.language.startsWith('de') ? 'de' : 'en');
  app.speak(language);
  app.set({ draft: { ...freshDraft, ...kept?.draft } });
  await refreshKept(app);
  const { demo } = app.state.draft;
  if (demo !== undefined)
    await app.busily(app.words.working, async (running) => {
      await app.core.demo(demo, running);
      app.set({ has: { private: true, public: true } });
    });
  if (kept?.release !== undefined && app.state.kept.some(({ release }) => release === kept.release))
    await openRelease(app, () => app.core.openKept({ release: kept.release! }));
  if (app.state.draft.columns.length > 0) await lookAtColumns(app);
  const wanted = (location.hash.slice(1) || kept?.step) as Step | undefined;
  if (wanted !== undefined && wanted !== 'tables' && isOpen(app.state, wanted)) app.go(wanted);
};

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

const baseOf = ({ $schema, origin, table, unit, constraints }: Schema): Draft['base'] => ({
  $schema,
  origin,
  table,
  unit,
  constraints,
});

/** Columns by a schema: what the private table has beside is left out. */
export const takeSchema = (app: App, learned: LearnedSchema, names: readonly string[]): void =>
  app.draft({ columns: learnedColumns(learned, names), base: baseOf(learned.schema) });

export const startDemo = (app: App, rows: number): Promise<void> =>
  app
    .busily(app.words.working, async (running) => {
      const demo = { rows, seed: 1 };
      const tables = await app.core.demo(demo, running);
      app.set({
        has: { private: true, public: true },
        release: undefined,
        ways: undefined,
        plan: undefined,
        rehearsal: [],
      });
      app.draft({ ...freshDraft, private: tables.private, public: tables.public, demo });
      takeSchema(app, tables.learned, []);
      app.go('columns');
    })
    .then(() => undefined);

export const choosePrivate = (app: App, file: File): Promise<void> =>
  app
    .busily(app.words.working, async () => {
      const { draft } = app.state;
      const table = await app.core.choosePrivate({ file });
      const isSame = draft.private?.name === table.name && sameNames(draft.private, table);
      app.set({ has: { ...app.state.has, private: true }, ledger: undefined });
      app.draft({ private: table, demo: undefined });
      if (isSame && draft.columns.length > 0) return;
      if (draft.public === undefined || !app.state.has.public) {
        app.draft({ columns: await app.core.guess({ names: table.names }), base: { origin: { kind: 'declared' } } });
      }
    })
    .then(() => undefined);

const sameNames = (one: ShownTable, other: ShownTable): boolean => one.names.join('\n') === other.names.join('\n');

export const choosePublic = (app: App, file: File): Promise<void> =>
  app
    .busily(app.words.working, async (running) => {
      const { draft } = app.state;
      const isAgain = draft.public?.name === file.name && draft.public.bytes === file.size && draft.columns.length > 0;
      const { public: table, learned } = await app.core.choosePublic({ file, exclude: [] }, running);
      app.set({ has: { ...app.state.has, public: true }, plan: undefined, rehearsal: [] });
      app.draft({ public: table, demo: undefined });
      // What was edited before a reload stays edited.
      if (!isAgain) takeSchema(app, learned, []);
    })
    .then(() => undefined);

export const dropTable = async (app: App, role: 'private' | 'public'): Promise<void> => {
  await app.core.dropTable({ role });
  app.set({ has: { ...app.state.has, [role]: false }, plan: undefined, ledger: undefined, rehearsal: [] });
  app.draft({
    [role]: undefined,
    demo: undefined,
    ...(role === 'public' ? { columns: [], base: { origin: { kind: 'declared' as const } } } : {}),
  });
  const table = app.state.draft.private;
  if (role === 'public' && table !== undefined) app.draft({ columns: await app.core.guess({ names: table.names }) });
};

let looks = 0;

/** Looks at the declaration as it is now. */
export const lookAtColumns = async (app: App): Promise<void> => {
  const turn = ++looks;
  const { draft } = app.state;
  try {
    const shown = await app.core.columns({ schema: schemaOf(draft), outside: draft.outside });
    if (turn === looks) app.set({ shown });
  } catch (error) {
    if (turn === looks && error instanceof Refusal) app.set({ shown: { columns: [], problems: [error.message] } });
  }
};

/** Changes a column and looks at it again. */
export const changeColumn = (app: App, name: string, change: Partial<EditedColumn>): void => {
  app.draft({
    columns: app.state.draft.columns.map((column) => (column.name === name ? { ...column, ...change } : column)),
  });
  app.set({ plan: undefined, rehearsal: [] });
  void lookAtColumns(app);
};

export const changeSpec = (app: App, name: string, spec: AttributeSpec | undefined): void =>
  changeColumn(app, name, { spec });

let plans = 0;
let planning: AbortController | undefined;

/** Plans anew once the person has paused: a dry run of public facts. */
export const planSoon = async (app: App, delay = 150): Promise<void> => {
  const turn = ++plans;
  planning?.abort();
  if (!isOpen(app.state, 'budget')) return;
  await new Promise((resolve) => setTimeout(resolve, delay));
  if (turn !== plans) return;
  const { draft, has } = app.state;
  if (draft.public !== undefined && !has.public) return;
  planning = new AbortController();
  app.set({ isPlanning: true });
  try {
    const plan = await app.core.plan({ told: toldOf(draft), mechanism: draft.mechanism }, { signal: planning.signal });
    if (turn === plans) app.set({ plan, planTrouble: undefined });
  } catch (error) {
    if (turn === plans && !(error instanceof Stopped))
      app.set({ plan: undefined, planTrouble: error instanceof Error ? error.message : String(error) });
  } finally {
    if (turn === plans) app.set({ isPlanning: false });
  }
};

export const rehearse = (app: App): Promise<void> =>
  app
    .busily(app.words.budget.rehearse, async (running) => {
      app.set({ rehearsal: [] });
      const told = toldOf(app.state.draft);
      for (const epsilon of rehearsed) {
        const found = await app.core.rehearse({ told, epsilon }, running);
        app.set({ rehearsal: [...app.state.rehearsal, { epsilon: Number(epsilon), ...found }] });
      }
    })
    .then(() => undefined);

const askLedger = async (app: App): Promise<void> => {
  if (!app.state.has.private) return;
  try {
    const { unsafeSeed } = toldOf(app.state.draft);
    app.set({ ledger: await app.core.ledger({ seeds: unsafeSeed !== undefined }) });
  } catch (error) {
    app.set({ trouble: error instanceof Error ? error.message : String(error) });
  }
};

export const takeLedger = (app: App, file: File): Promise<void> =>
  app
    .busily(app.words.working, async (running) => app.set({ ledger: await app.core.takeLedger({ file }, running) }))
    .then(() => undefined);

/** How far a run has come, by the forecast of its stages, and how long it will still take. */
const partDone = (app: App, { stage, done, total, expected }: Progress): number | undefined => {
  const stages = app.state.plan?.stages ?? [];
  const at = stages.findIndex((one) => one.stage === stage);
  if (at < 0) return undefined;
  const all = stages.reduce((sum, { seconds }) => sum + seconds, 0);
  const before = stages.slice(0, at).reduce((sum, { seconds }) => sum + seconds, 0);
  const most = total ?? (expected === undefined ? undefined : Math.max(expected, done + 1));
  const own = most === undefined || most === 0 ? 0 : Math.min(1, done / most);
  return (before + own * stages[at].seconds) / all;
};

export const release = async (app: App, resume = false): Promise<void> => {
  const controller = new AbortController();
  const begun = performance.now();
  const run = { progress: undefined, begun, left: app.state.plan?.seconds, part: 0, pause: () => controller.abort() };
  app.set({ run, trouble: undefined, isPaused: false });
  const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', warn);
  try {
    const made = await app.core.release(
      { told: toldOf(app.state.draft), resume },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          const now = app.state.run ?? run;
          const part = Math.max(now.part, partDone(app, progress) ?? now.part);
          const seconds = (performance.now() - begun) / 1000;
          const forecast = app.state.plan?.seconds ?? 0;
          const left = part < 0.05 ? Math.max(0, forecast - seconds) : (seconds / part) * (1 - part);
          app.set({ run: { ...now, progress, part, left } });
        },
      },
    );
    app.set({
      release: made,
      ways: undefined,
      verdict: undefined,
      pair: undefined,
      typed: '',
      asking: { ...freshState.asking },
    });
    app.set({ run: undefined });
    app.go('look');
  } catch (error) {
    if (error instanceof Stopped) app.set({ isPaused: true });
    else app.set({ trouble: error instanceof Refusal ? error.message : `${app.words.ours} (${String(error)})` });
  } finally {
    removeEventListener('beforeunload', warn);
    app.set({ run: undefined });
    await askLedger(app);
  }
};

export const openRelease = async (app: App, open: () => ReturnType<StudioJobs['openKept']>): Promise<boolean> => {
  const made = await app.busily(app.words.working, open, false);
  if (made === undefined) return false;
  app.set({
    release: made,
    ways: undefined,
    verdict: undefined,
    pair: undefined,
    pairNames: undefined,
    asking: { ...freshState.asking },
  });
  return true;
};

export const openFiles = async (app: App, files: readonly File[]): Promise<void> => {
  if (await openRelease(app, () => app.core.openFiles({ files }))) {
    app.go('look');
    await verify(app);
  }
};

export const verify = (app: App): Promise<void> =>
  app
    .busily(app.words.working, async (running) => app.set({ verdict: await app.core.verify({}, running) }))
    .then(() => undefined);

const look = (app: App): Promise<void> =>
  app
    .busily(app.words.working, async (running) => app.set({ ways: await app.core.look({}, running) }), false)
    .then(() => undefined);

export const lookAtPair = async (app: App, names: readonly [string, string]): Promise<void> => {
  app.set({ pairNames: names, pair: undefined });
  await app.busily(
    app.words.working,
    async () => app.set({ pair: (await app.core.pair({ names })) ?? 'too large' }),
    false,
  );
};

export const ask = async (app: App, sql: string): Promise<void> => {
  const answers = await app.busily(app.words.working, () => app.core.ask({ sql }), false);
  if (answers !== undefined) app.set({ asking: { ...app.state.asking, sql, answers } });
};

export const save = (app: App, name: string, blob: () => Promise<Blob>): Promise<void> =>
  app.busily(app.words.working, async () => download(await blob(), name), false).then(() => undefined);
