import { constants } from 'node:fs';
import { access, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeWholeDirectory } from '../../adapters/write-whole.js';
import { countryName } from '../../src/demo/country.js';
import { InputError } from '../../src/domain/input-error.js';
import type { LearnedSchema } from '../../src/domain/learn-schema.js';
import { attributeTable } from '../attribute-table.js';
import { command, type Io } from '../command.js';
import { type DemoTables, writeDemoTables } from '../demo-tables.js';
import { bold, count, dim, table } from '../print.js';
import { schemaText } from '../schema-text.js';
import { systemReason } from '../system-error.js';
import { wholeNumber } from '../whole-number.js';

interface Demo {
  readonly tables: DemoTables;
  readonly learned: LearnedSchema;
}

export default command({
  name: 'demo',
  summary: 'make the tables of a fictional country and learn a schema from the public one',
  help: `usage: surmise demo [--out DIR] [options]

Makes two tables of persons of ${countryName}, a country that does not exist: an earlier year, which is public, and a later
one, which is to be protected. Then it learns a schema from the public table and shows what it found. Nobody in these
tables is real.

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
      demo = await makeDemo(temporary, rows, seed, io);
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

/** Makes the tables and the schema in a directory. */
const makeDemo = async (directory: string, rows: number, seed: number, io: Io): Promise<Demo> => {
  const running = { onProgress: io.progress, signal: io.signal };
  const tables = await writeDemoTables(directory, { rows, seed, ...running });
  // The database takes a moment to load: not for --help.
  const { learn } = await import('../learn.js');
  const learned = await learn(tables.public.file, { exclude: ['household_id', 'person_id'], ...running });
  await writeFile(path.join(directory, 'schema.json'), schemaText(learned.schema));
  return { tables, learned };
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

const json = ({ tables, learned }: Demo, inside: (file: string) => string): string => {
  const made = {
    country: countryName,
    fictional: true,
    public: { ...tables.public, file: inside(tables.public.file) },
    private: { ...tables.private, file: inside(tables.private.file) },
    schema: { file: inside('schema.json'), attributes: learned.schema.attributes.length },
    notes: learned.notes,
  };
  return `${JSON.stringify(made, null, 2)}\n`;
};

const text = ({ tables, learned }: Demo, inside: (file: string) => string, io: Io): string => {
  const publicFile = inside(tables.public.file);
  const schemaFile = inside('schema.json');
  const files = table(
    [{ title: 'file' }, { title: 'persons', align: 'right' }, { title: 'what it is' }],
    [
      [publicFile, count(tables.public.rows), 'public: an earlier year, open to everybody'],
      [inside(tables.private.file), count(tables.private.rows), 'private: a later year, to be protected'],
      [schemaFile, '', 'learned from the public table only'],
    ],
    io,
  );
  return `${bold(`${countryName} is a fictional country: nobody in these tables is real.`, io)}

${files}
What the public table shows:

${attributeTable(learned, io)}
${dim('Look closer:', io)} surmise inspect ${publicFile} --schema ${schemaFile}
`;
};
