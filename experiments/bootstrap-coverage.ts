import { existsSync, readFileSync } from 'node:fs';
import { bootstrap } from '../src/evaluate/bootstrap.js';
import { drownsRelease } from '../src/evaluate/drowning.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { seeded } from '../src/random/seeded.js';
import { mechanismNamed } from '../src/release/registry.js';
import { settingsOf } from '../src/release/settings.js';
import { memorySource } from '../src/source/memory-source.js';
import { coverageTables, shown } from './bounds/coverage-tables.js';
import { foundIn } from './bounds/found.js';
import { type Coverage, judgeBounds, type Kind, kinds } from './bounds/judge.js';
import { loadCoverage, rehearsalNames, type TableName, tableNames } from './bounds/tables.js';
import { onlyOf } from './command/only-of.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkersResuming } from './resume.js';

/*
 * How often the 95% bounds of releases hold, by mechanism, table and budget, and how wide they are. Methods are tuned on the made-up tables and on
 * the parts of public tables (`--only tuning`), never on the others.
 */
const delta = 1e-9;
/** As many as a release makes unless told. */
const replicates = 8;

interface Subject {
  readonly mechanism: string;
  /** Whether it takes the public table although it could do without. */
  readonly withPublic?: boolean;
  readonly settings?: Record<string, string | number>;
  /** Tables whose releases take minutes are left out. */
  readonly tables?: readonly TableName[];
}

const small: readonly TableName[] = ['chain', 'classes', 'weak', 'titanic', 'stroke', 'massachusetts'];
const smallest: readonly TableName[] = ['chain', 'classes', 'weak', 'titanic'];

const subjects = {
  aim: { mechanism: 'aim' },
  'aim with a prior': { mechanism: 'aim', withPublic: true, tables: small },
  reweight: { mechanism: 'reweight' },
  'pmw-pub': { mechanism: 'pmw-pub', tables: small },
  ide: { mechanism: 'ide', tables: small },
  mwem: { mechanism: 'mwem', settings: { estimator: 'pgm' }, tables: smallest },
  privbayes: { mechanism: 'privbayes', tables: small },
  pairs: { mechanism: 'pairs', tables: small },
  mst: { mechanism: 'mst', tables: small },
  jam: { mechanism: 'jam', withPublic: true, tables: small.filter((table) => table !== 'massachusetts') },
  'residual-planner': { mechanism: 'residual-planner', tables: ['chain', 'classes', 'weak'] },
  hdmm: { mechanism: 'hdmm', tables: ['chain', 'classes', 'weak'] },
} as const satisfies Record<string, Subject>;
type SubjectName = keyof typeof subjects;
const subjectNames = Object.keys(subjects) as SubjectName[];

interface Run {
  readonly data: string;
  readonly subject: SubjectName;
  readonly table: TableName;
  readonly epsilon: number;
  readonly seed: number;
}

interface Outcome {
  /** Whether the noise drowned most of what was measured: bounds are told apart by it. */
  readonly drowned: boolean;
  readonly inflation: number;
  readonly clump: number;
  readonly seconds: { readonly release: number; readonly bootstrap: number };
  readonly coverage: Record<Kind, Coverage>;
}

/** A release of one subject, table, budget and seed, and how often the bounds of its answers hold. Looks at the truth. */
export const runJob = async ({ data, subject, table, epsilon, seed }: Run): Promise<Outcome> => {
  const { publicTable, privateTable, triples } = await loadCoverage(table, data);
  const { mechanism: name, withPublic = false, settings = {} }: Subject = subjects[subject];
  const mechanism = mechanismNamed(name);
  const usesPublic = withPublic || mechanism.needs === 'public-table';
  const truth = supportModel(supportOf(privateTable), privateTable.length);
  const budget = { epsilon, delta };
  const source = await memorySource({ table: privateTable, dataset: 'experiment', threads: 1 });
  try {
    const session = openSession({
      source,
      budget,
      ledger: await memoryLedger(budgetOf(budget), 'experiment'),
      entropy: seededEntropy(seed),
    });
    const started = performance.now();
    const released = await mechanism.release(
      session,
      usesPublic ? supportOf(publicTable) : undefined,
      { random: seeded(seed), threads: 1, publicTable: usesPublic ? publicTable : undefined },
      settingsOf(mechanism, settings),
    );
    const made = performance.now();
    const drawn = await bootstrap(released, { random: seeded(1000 + seed), replicates });
    const done = performance.now();
    const { model, measurements } = released;
    return {
      drowned: drownsRelease(measurements, model.domain, model.total),
      inflation: drawn?.inflation ?? 1,
      clump: drawn?.clump ?? 1,
      seconds: { release: (made - started) / 1000, bootstrap: (done - made) / 1000 },
      coverage: judgeBounds({ model, measurements, replicates: drawn }, truth, triples),
    };
  } finally {
    source.close();
  }
};

interface Row extends Omit<Run, 'data'>, Outcome {}

const keptFile = 'experiments/results/bootstrap-coverage.json';

const inPlaceOf = (subject: SubjectName, fresh: readonly Row[]): readonly Row[] => {
  const kept = existsSync(keptFile)
    ? (JSON.parse(readFileSync(keptFile, 'utf8')) as { rows: readonly Row[] }).rows
    : [];
  return subjectNames.flatMap((name) => (name === subject ? fresh : kept.filter((row) => row.subject === name)));
};

const tablesFor = (name: SubjectName, tuning: boolean): readonly TableName[] => {
  const { tables = tableNames }: Subject = subjects[name];
  return tuning
    ? [...tables.filter((table) => smallest.includes(table) && table !== 'titanic'), ...rehearsalNames]
    : tables;
};

const experiment: Experiment = async ({ data, seeds = 1, quick = false, only, say }) => {
  const folder = dataFolder(data);
  const part = onlyOf(only, [...subjectNames, 'tuning' as const]);
  const tuning = part === 'tuning';
  const names = part === undefined || tuning ? subjectNames : [part];
  const jobs = names.flatMap((subject) =>
    (quick ? (['chain'] as const) : tablesFor(subject, tuning)).flatMap((table) =>
      (quick ? [1] : [0.1, 0.3, 1, 3]).flatMap((epsilon) =>
        Array.from({ length: seeds }, (_, i): Run => ({ data: folder, subject, table, epsilon, seed: i + 1 })),
      ),
    ),
  );
  const outcomes = await inWorkersResuming<Run, Outcome>(
    `bootstrap-coverage${part === undefined ? '' : ` ${part}`}`,
    import.meta.url,
    jobs,
    say,
    ({ subject, table, epsilon }, { coverage, seconds }) =>
      `${subject}, ${table}, ${epsilon}: ${kinds.map((kind) => `${kind} ${shown(coverage[kind])}`).join(', ')}; ${seconds.release.toFixed(1)} + ${seconds.bootstrap.toFixed(1)} s`,
  );
  const fresh = jobs.map(({ data: _, ...job }, i): Row => ({ ...job, ...outcomes[i] }));
  // A part takes the place of its own rows among those that are kept.
  const rows = part === undefined || tuning || quick ? fresh : inPlaceOf(part, fresh);
  const [byTable, byMechanism] = coverageTables(rows);
  return {
    figures: { delta, replicates, rows },
    text: `How often 95% bounds hold, in percent: all cells / cells with a hundredth of the records (width over error), all budgets together\n${byTable}\n\n${byMechanism}\n\nFor src/evaluate/coverage-found.ts\n${JSON.stringify(foundIn(rows), undefined, 2)}`,
  };
};

export default experiment;
