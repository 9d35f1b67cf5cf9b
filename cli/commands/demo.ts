import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { countryName } from '../../src/advanced.js';
import { budgetOf, domainFromSchema } from '../../src/index.js';
import { command, type Io } from '../command.js';
import { compareDemo } from '../demo/demo-comparison.js';
import { writeDemoTables } from '../demo/demo-tables.js';
import { type Demo, demoJson, demoText, ledgerName, releaseName } from '../demo/demo-text.js';
import { homesDemoText, homesJson, makeHomesDemo } from '../demo/homes-demo.js';
import { writeDirectory } from '../files/write-directory.js';
import { schemaText } from '../text/schema-text.js';
import { version } from '../version.js';

/** What the release of the demo spends, and what the ledger of its private table allows in all. */
const spend = { epsilon: 1, delta: '1e-9' } as const;
const allowance = { epsilon: 3, delta: '1e-9' } as const;

export default command({
  name: 'demo',
  usage: ['[--out DIR] [options]', '--households [--out DIR] [options]'],
  about: `Makes two tables of persons of ${countryName}, a country that does not exist: an earlier year, which is public, and a later
one, which is to be protected. Then it learns a schema from the public table, releases the private one with it (epsilon
${spend.epsilon}), and shows how close the release came. Nobody in these tables is real: that is why the demo may compare
with the truth, which on a real table would be private. With --households there are two tables of each year, persons and their
households, and both are released, with keys that agree; protected are whole households.`,
  examples: ['surmise demo --out orvania --rows 5000', 'surmise demo --households --out orvania-homes --rows 5000'],
  run: async ({ values }, io) => {
    const directory = values.out ?? (await freshDirectory());
    if (values.households) {
      const demo = await writeDirectory(directory, (temporary) => makeHomesDemo(temporary, values, io), io);
      const inside = (file: string) => path.join(directory, path.basename(file));
      io.out(values.json ? homesJson(demo, inside) : homesDemoText(demo, inside, io));
      return;
    }
    const demo = await writeDirectory(directory, (temporary) => makeDemo(temporary, values, io), io);
    const inside = (file: string) => path.join(directory, path.basename(file));
    io.out(values.json ? demoJson(demo, inside) : demoText(demo, inside, io));
  },
});

/** Makes the tables, the schema, and the release in a directory. */
const makeDemo = async (
  directory: string,
  size: { readonly rows: number; readonly seed: number },
  io: Io,
): Promise<Demo> => {
  const { running } = io;
  const tables = await writeDemoTables(directory, { rows: size.rows, seed: size.seed, ...running });
  const { createFileLedger, learnFile, readTable, releaseFiles } = await import('../../adapters/index.js');
  const learned = await learnFile(tables.public.file, { exclude: ['household_id', 'person_id'], ...running });
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
  return { tables, learned, made, comparison: compareDemo(domain, open, secret, made) };
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
