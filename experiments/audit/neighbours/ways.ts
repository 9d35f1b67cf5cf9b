import path from 'node:path';
import { checkPublicFiles } from '../../../adapters/check-public-files.js';
import { discoverFiles } from '../../../adapters/discover-files.js';
import { fileLedger } from '../../../adapters/ledger/file-ledger.js';
import { openPrivateFile } from '../../../adapters/private/private-file.js';
import { releaseFiles, releaseHouseholdFiles } from '../../../adapters/release-files.js';
import { writeWholeDirectory } from '../../../adapters/write-whole.js';
import { run } from '../../../cli/run.js';
import { makeBundle } from '../../../src/bundle/make-bundle.js';
import { parseDraft } from '../../../src/domain/discover/parse-draft.js';
import type { Domain } from '../../../src/domain/domain.js';
import { encodeTable } from '../../../src/domain/encode/encode-table.js';
import { encodeHouseholds } from '../../../src/domain/households/encode-households.js';
import { groupHouseholds } from '../../../src/domain/households/group-households.js';
import type { KeyedTable } from '../../../src/domain/households/household-table.js';
import { settles } from '../../../src/domain/households/settles.js';
import { type Outside, withOutside } from '../../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../../src/domain/schema/schema.js';
import { type BudgetRequest, budgetOf } from '../../../src/privacy/accounting/budget.js';
import { webEntropy } from '../../../src/privacy/entropy.js';
import type { Ledger } from '../../../src/privacy/ledger/ledger.js';
import { memoryLedger } from '../../../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../../../src/privacy/session/open-session.js';
import type { Relation } from '../../../src/query/relation.js';
import type { Unit } from '../../../src/query/unit.js';
import { seeded } from '../../../src/random/seeded.js';
import { anyMechanismNamed, mechanismNamed } from '../../../src/release/registry.js';
import { memorySource } from '../../../src/source/memory-source.js';
import type { PrivateSource } from '../../../src/source/source.js';
import type { Tape } from './current-tape.js';
import { type Disturbance, type Disturbed, disturbed } from './disturbance.js';
import { largestHousehold } from './random-households.js';
import { columnsOf, type RawTable } from './random-tables.js';
import { seenCalls } from './seen-calls.js';
import type { Subject } from './subjects.js';
import type { Format } from './write-raw.js';

/** How a private table is reached: as rows in memory, as a file and a session, by the file release, or by the command line. */
export type Way = 'memory' | 'file' | 'release' | 'cli';

/** One run, all of it public but the rows and what is in the private file. */
export interface Visit {
  readonly subject: Subject;
  readonly way: Way;
  readonly format: Format;
  /** `auto` with so little room that neighbours may be counted by different engines. */
  readonly engine: 'memory' | 'duckdb' | 'auto';
  readonly relation: Relation;
  readonly unit: Unit;
  readonly budget: BudgetRequest;
  readonly disturbance: Disturbance;
  /** What becomes of values that the schema does not name; unless it is `declared`, tables hold some. */
  readonly outside: Outside;
  readonly schema: Schema;
  readonly publicRows: RawTable;
  /** Folder of the run, its private table, its public table and its schema. */
  readonly root: string;
  readonly file: string;
  readonly publicFile: string;
  readonly schemaFile: string;
  readonly seed: number;
}

/** Bytes of codes beyond which DuckDB counts: a few rows. */
const narrow = 24;

/** Counts of households that fail when their turn has come. */
const failingHoldings =
  (real: NonNullable<PrivateSource['holdings']>, fails: () => boolean): NonNullable<PrivateSource['holdings']> =>
  async (...given) => {
    if (fails()) throw new Error('the disk failed');
    return real(...given);
  };

/** A source that fails at the n-th count, as a disk may. */
const failingAt = (source: PrivateSource, at: number): PrivateSource => {
  let counts = 0;
  return {
    ...source,
    counts: async (marginals, options) => {
      if (++counts === at) throw new Error('the disk failed');
      return source.counts(marginals, options);
    },
    holdings: source.holdings && failingHoldings(source.holdings, () => ++counts === at),
  };
};

/** The public table, with its households where there are some. */
const publicOf = (domain: Domain, schema: Schema, rows: RawTable, outside: Outside) => {
  if (schema.twoLevel === undefined) return { publicTable: encodeTable(domain, columnsOf(schema, rows), { outside }) };
  const publicHouseholds = groupHouseholds(keyedRows(domain, schema, rows, outside));
  return { publicTable: publicHouseholds, publicHouseholds };
};

/** Persons and their households. */
const keyedRows = (domain: Domain, schema: Schema, rows: RawTable, outside: Outside): KeyedTable => {
  const { key } = schema.twoLevel!;
  const persons = { ...columnsOf(schema, rows), [key]: rows.map(({ id }) => id) };
  return encodeHouseholds(domain, key, { persons }, { outside });
};

/** Runs the subject on a session and writes down everything that it leaves. */
const bySession = async (
  { subject, relation, budget, schema, publicRows, seed, disturbance, outside }: Visit,
  given: PrivateSource,
  plainLedger: Ledger,
  running: Disturbed,
  tape: Tape,
): Promise<void> => {
  const source = disturbance.kind === 'source' ? failingAt(given, disturbance.at) : given;
  const ledger = seenCalls(plainLedger, 'ledger', tape, ['status']);
  const session = openSession({
    source: seenCalls(source, 'source', tape),
    budget,
    ledger,
    relation,
    onReserved: () => tape.see('reserved'),
    ...running,
  });
  try {
    const left = await subject.run(session, {
      ...publicOf(session.domain, schema, publicRows, outside),
      random: seeded(seed),
      running,
    });
    tape.see('left', 'found' in left ? left.found : { notes: left.notes, measurements: left.measurements });
    if (!('found' in left)) {
      const { model } = left;
      const files = makeBundle({
        released: left,
        session,
        ledger: await ledger.status(),
        schema: withOutside(schema, outside),
        mechanism: { name: subject.name, options: {} },
        software: 'audit',
      });
      for (const [name, bytes] of Object.entries(files)) tape.see(name, Buffer.from(bytes).toString('latin1'));
      const count = Math.max(1, Math.min(200, Math.round(model.total)));
      if ('households' in model) {
        const { offsets, columns } = model.households(Math.ceil(count / largestHousehold), seeded(seed));
        tape.see('households', { offsets, columns });
      } else tape.see('rows', model.sample(count, seeded(seed)).columns);
    }
  } catch (error) {
    tape.see('failed', [(error as Error)?.name, String(error)]);
  }
  tape.see('statement', session.statement());
  tape.see('remaining', session.remaining);
  await session.close();
  tape.see('acts', session.acts());
  tape.see('refused', await session.total(0.01).catch(String));
};

const inMemory = async (visit: Visit, rows: RawTable, running: Disturbed, tape: Tape): Promise<void> => {
  const { schema, unit, budget, relation, outside } = visit;
  const domain = domainFromSchema(withOutside(schema, outside));
  const common = { dataset: 'audited', unit, threads: 1 };
  const keyed = schema.twoLevel && keyedRows(domain, schema, rows, outside);
  const source = await memorySource(
    keyed
      ? {
          ...common,
          table: keyed.table,
          ids: keyed.keys,
          rule: schema.twoLevel?.rule,
          random: webEntropy(),
          firstSpeaks: settles(outside),
        }
      : {
          ...common,
          table: encodeTable(domain, columnsOf(schema, rows), { outside }),
          ...(unit.kind === 'id' ? { ids: rows.map(({ id }) => id), random: webEntropy() } : {}),
        },
  );
  const { close, ...plain } = source;
  try {
    await bySession(visit, plain, await memoryLedger(budgetOf(budget), 'audited', { relation, unit }), running, tape);
  } finally {
    await close();
  }
};

const byFile = async (visit: Visit, running: Disturbed, tape: Tape): Promise<void> => {
  const { file, schema, unit, engine, budget, relation, outside, root } = visit;
  const source = await openPrivateFile(file, schema, {
    random: webEntropy(),
    dataset: 'audited',
    unit,
    outside,
    engine,
    ...(engine === 'auto' ? { codeLimit: narrow } : {}),
    threads: 1,
    ...running,
  });
  const { close, ...plain } = source;
  try {
    const terms = { dataset: 'audited', budget: budgetOf(budget), relation, unit };
    const ledger = await fileLedger(path.join(root, 'ledger.jsonl'), terms);
    await bySession(visit, plain, ledger, running, tape);
  } finally {
    await close();
  }
};

const byRelease = async (visit: Visit, running: Disturbed, tape: Tape): Promise<void> => {
  const { subject, file, publicFile, schema, unit, budget, relation, outside, root, seed } = visit;
  const ledger = path.join(root, 'ledger.jsonl');
  const onReserved = (): void => tape.see('reserved');
  const common = {
    schema,
    budget,
    relation,
    outside,
    ledger,
    onReserved,
    ...(unit.kind === 'row' ? {} : { unit }),
    ...running,
  };
  if (subject.registered === 'check-public') {
    const options = { ...common, public: [publicFile], random: seeded(seed), share: 0.4 };
    const { tables, privacy, status } = await checkPublicFiles(file, options);
    tape.see('checked', { tables, privacy, status });
    return;
  }
  const release = async (directory: string): Promise<void> => {
    if (subject.draft !== undefined) {
      const { schema: found, notes } = await discoverFiles(directory, {
        ...common,
        draft: parseDraft(subject.draft(schema)),
        private: file,
        mechanism: mechanismNamed(subject.registered!) ?? 'auto',
        software: 'audit',
        bootstrap: 0,
        // With tables this small little would be found for less.
        discoverShare: 0.6,
      });
      tape.see('made', { found, notes });
      return;
    }
    const make = schema.twoLevel === undefined ? releaseFiles : releaseHouseholdFiles;
    const { manifest, why, reportFailure } = await make(directory, {
      ...common,
      private: file,
      ...(subject.prior ? { public: publicFile } : {}),
      mechanism: anyMechanismNamed(subject.registered!),
      software: 'audit',
      bootstrap: 2,
    });
    tape.see('made', { manifest, why, reportFailure });
  };
  await writeWholeDirectory(path.join(root, 'out'), release);
  // The budget is gone: what a second release is told must not depend on the table either.
  if (seed % 4 === 0) await writeWholeDirectory(path.join(root, 'again'), release);
};

const byCommand = async (visit: Visit, running: Disturbed, tape: Tape): Promise<void> => {
  const { subject, file, publicFile, schemaFile, unit, budget, relation, outside, root } = visit;
  const words = [
    ...(subject.registered === 'check-public' ? ['check-public'] : ['release']),
    file,
    ...(subject.prior ? ['--public', publicFile] : []),
    ...['--schema', schemaFile, '--epsilon', String(budget.epsilon), '--relation', relation, '--outside', outside],
    ...(budget.delta === undefined ? ['--pure'] : ['--delta', String(budget.delta)]),
    ...(unit.kind === 'id' ? ['--unit-id', unit.column, '--max-records', String(unit.maxRecords)] : []),
    ...(unit.kind === 'person' ? ['--unit', 'person'] : []),
    ...(subject.registered === 'check-public'
      ? ['--share', '0.4']
      : ['--mechanism', subject.registered!, '-o', path.join(root, 'out'), '--bootstrap', '0']),
    ...(subject.draft === undefined ? [] : ['--discover-share', '0.6']),
    ...(visit.seed % 2 === 0 ? ['--json'] : []),
    '--verbose',
  ];
  const code = await run(words, {
    out: (text) => tape.see('stdout', text),
    err: (text) => tape.see('stderr', text),
    running,
    isTerminal: false,
    columns: 80,
    colour: false,
    unicode: true,
  });
  tape.see('exit code', code);
};

/** Makes a visit, with everything that can be seen on the tape. */
export const visit = async (of: Visit, rows: RawTable, tape: Tape): Promise<void> => {
  const running = disturbed(of.disturbance, tape);
  try {
    if (of.way === 'memory') await inMemory(of, rows, running, tape);
    else if (of.way === 'file') await byFile(of, running, tape);
    else if (of.way === 'release') await byRelease(of, running, tape);
    else await byCommand(of, running, tape);
  } catch (error) {
    // As `report` of the command line would tell it.
    tape.see('failed', [(error as Error)?.name, String(error)]);
  }
};
