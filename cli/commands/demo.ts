import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeWholeDirectory } from '../../adapters/write-whole.js';
import { countryName } from '../../src/demo/country.js';
import { InputError } from '../../src/domain/input-error.js';
import type { LearnedSchema } from '../../src/domain/learn/learn-schema.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { MadeRelease } from '../../src/flow/make-release.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { command, type Io } from '../command.js';
import { compareDemo, comparisonText, type DemoComparison } from '../demo/demo-comparison.js';
import { type DemoTables, privateYear, publicYear, writeDemoTables } from '../demo/demo-tables.js';
import { wholeNumber } from '../options/whole-number.js';
import { systemReason } from '../system-error.js';
import { bold, count, dim, table } from '../terminal/print.js';
import { attributeTable } from '../text/attribute-table.js';
import { schemaText } from '../text/schema-text.js';
import { version } from '../version.js';

interface Demo {
  readonly tables: DemoTables;
  readonly learned: LearnedSchema;
  readonly made: MadeRelease;
  readonly comparison: DemoComparison;
}

/** What the release of the demo spends, and what the ledger of its private table allows in all. */
const spend = { epsilon: 1, delta: '1e-9' } as const;
const allowance = { epsilon: 3, delta: '1e-9' } as const;
/** The file names of what the demo releases, inside its directory. */
const releaseName = 'release';
const ledgerName = `private-${privateYear}.csv.ledger.jsonl`;

export default command({
  name: 'demo',
  summary: 'make the tables of a fictional country and release the private one',
  help: `usage: surmise demo [--out DIR] [options]

Makes two tables of persons of ${countryName}, a country that does not exist: an earlier year, which is public, and a later
one, which is to be protected. Then it learns a schema from the public table, releases the private one with it (epsilon
${spend.epsilon}), and shows how close the release came. Nobody in these tables is real: that is why the demo may compare
with the truth, which on a real table would be private.

      --out DIR   make the tables in DIR, which must not exist yet (a new folder surmise-demo here)
      --rows N    about N persons in each table (20000)
      --seed N    another country of the same kind (1)
      --json      print what was made as JSON
      --verbose   say where an unexpected error came from
  -h, --help      this text

example: surmise demo --out orvania --rows 5000`,
  options: {
    out: { type: 'string' },
    rows: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'boolean' },
  },
  operands: [],
  run: async ({ values }, io) => {
    const rows = wholeNumber('rows', values.rows, { min: 1, max: 1e9, otherwise: 20_000 });
    const seed = wholeNumber('seed', values.seed, { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 1 });
    const directory = values.out ?? (await freshDirectory());
    let demo: Demo | undefined;
    const fill = async (temporary: string) => {
      demo = await makeDemo(temporary, { rows, seed }, io);
    };
    await writeWholeDirectory(directory, fill, { signal: io.signal }).catch((error) => {
      const reason = systemReason(error);
      throw reason === undefined ? error : new InputError(`${directory}: ${reason}`);
    });
    if (demo === undefined) return;
    const inside = (file: string) => path.join(directory, path.basename(file));
    if (values.json) io.out(json(demo, inside));
    else io.out(text(demo, inside, io));
  },
});

/** Makes the tables, the schema, and the release in a directory. */
const makeDemo = async (
  directory: string,
  size: { readonly rows: number; readonly seed: number },
  io: Io,
): Promise<Demo> => {
  const running = { onProgress: io.progress, signal: io.signal };
  const tables = await writeDemoTables(directory, { ...size, ...running });
  // The database takes a moment to load: not for --help.
  const [{ learn }, { releaseFiles }, { createFileLedger }, { readTable }] = await Promise.all([
    import('../options/learn.js'),
    import('../../adapters/release-files.js'),
    import('../../adapters/ledger/file-ledger.js'),
    import('../../adapters/table/read-table.js'),
  ]);
  const learned = await learn(tables.public.file, { exclude: ['household_id', 'person_id'], ...running });
  await writeFile(path.join(directory, 'schema.json'), schemaText(learned.schema));
  const ledger = path.join(directory, ledgerName);
  await createFileLedger(ledger, { budget: budgetOf(allowance) });
  const release = path.join(directory, releaseName);
  await mkdir(release);
  const made = await releaseFiles(release, {
    ...running,
    private: tables.private.file,
    public: tables.public.file,
    schema: learned.schema,
    mechanism: 'auto',
    budget: spend,
    ledger,
    software: `surmise ${version()}`,
  });
  const domain = domainFromSchema(learned.schema);
  const open = await readTable(tables.public.file, domain, running);
  // Read as if it were public: the country is fictional.
  const secret = await readTable(tables.private.file, domain, { ...running, unsafeNonPrivate: true });
  return { tables, learned, made, comparison: compareDemo(domain, open, secret, made.model) };
};

/** A name that is not taken, here, or in the system's temporary folder when nothing can be made here. */
const freshDirectory = async (): Promise<string> => {
  const isOpen = await access('.', constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isOpen) return path.join(await mkdtemp(path.join(tmpdir(), 'surmise-')), 'surmise-demo');
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'surmise-demo' : `surmise-demo-${n}`;
    if (!(await stat(name).catch(() => undefined))) return name;
  }
};

const json = ({ tables, learned, made, comparison }: Demo, inside: (file: string) => string): string => {
  const body = {
    country: countryName,
    fictional: true,
    public: { ...tables.public, file: inside(tables.public.file) },
    private: { ...tables.private, file: inside(tables.private.file) },
    schema: { file: inside('schema.json'), attributes: learned.schema.attributes.length },
    notes: learned.notes,
    release: { directory: inside(releaseName), mechanism: made.manifest.mechanism, privacy: made.manifest.privacy },
    ledger: inside(ledgerName),
    comparison,
  };
  return `${JSON.stringify(body, null, 2)}\n`;
};

const text = ({ tables, learned, made, comparison }: Demo, inside: (file: string) => string, io: Io): string => {
  const [publicFile, privateFile] = [inside(tables.public.file), inside(tables.private.file)];
  const schemaFile = inside('schema.json');
  const { sampling, privacy } = made.manifest;
  const synthetic = path.join(inside(releaseName), sampling?.file ?? '');
  const report = path.join(inside(releaseName), 'report.html');
  const files = table(
    [{ title: 'file' }, { title: 'persons', align: 'right' }, { title: 'what it is' }],
    [
      [publicFile, count(tables.public.rows), 'public: an earlier year, open to everybody'],
      [privateFile, count(tables.private.rows), 'private: a later year, to be protected'],
      [schemaFile, '', 'learned from the public table only'],
      [synthetic, count(sampling?.rows ?? 0), 'released: synthetic persons of the later year'],
      ...(made.reportFailure === undefined ? [[report, '', 'the report of the release: open it in a browser']] : []),
      [inside(ledgerName), '', 'the budget of the private table, and what was spent'],
    ],
    io,
  );
  const years = { public: publicYear, private: privateYear };
  return `${bold(`${countryName} is a fictional country: nobody in these tables is real.`, io)}

${files}
What the public table shows:

${attributeTable(learned, io)}
${privacy.text}

${bold('How close the release came, where the years differ most', io)} (the truth is fictional, so it may be shown):

${comparisonText(comparison, years, io)}
${dim('Look at it:', io)}        ${made.reportFailure === undefined ? report : `no report: ${made.reportFailure}`}
${dim('Check the release:', io)} surmise verify ${inside(releaseName)} --ledger ${inside(ledgerName)}
${dim('What remains:', io)}      surmise ledger show ${inside(ledgerName)}
${dim('Make another:', io)}      surmise release ${privateFile} --public ${publicFile} --schema ${schemaFile} --epsilon 1 -o again
`;
};
