import { mkdir, open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { countryName, demoHomesCsv, demoHomesSchema, type HouseholdTable } from '../../src/advanced.js';
import { budgetOf, type HouseholdModel, type MadeRelease, type Running } from '../../src/index.js';
import type { Io } from '../command.js';
import { bold, count, dim, table } from '../terminal/print.js';
import { schemaText } from '../text/schema-text.js';
import { version } from '../version.js';
import { privateYear, publicYear } from './demo-tables.js';
import { compareHomes, type HomesComparison, homesText } from './homes-comparison.js';

/** What the release spends, and what the ledger allows in all. */
const spend = { epsilon: 1, delta: '1e-9' } as const;
const allowance = { epsilon: 3, delta: '1e-9' } as const;
const releaseName = 'release';
const privateNames = { persons: `persons-${privateYear}.csv`, households: `households-${privateYear}.csv` };
const publicNames = { persons: `persons-${publicYear}.csv`, households: `households-${publicYear}.csv` };
const ledgerName = `${privateNames.persons}.ledger.jsonl`;

type Names = typeof privateNames;

/** What the demo of households made. */
export interface HomesDemo {
  readonly sizes: {
    readonly [Name in 'public' | 'private']: { readonly persons: number; readonly households: number };
  };
  readonly made: MadeRelease<HouseholdModel>;
  readonly comparison: HomesComparison;
}

/** Makes the tables of both years, the schema, and the release in a directory. */
export const makeHomesDemo = async (
  directory: string,
  size: { readonly rows: number; readonly seed: number },
  { running }: Io,
): Promise<HomesDemo> => {
  const { createFileLedger, readHouseholds, releaseHouseholdFiles } = await import('../../adapters/index.js');
  const at = (name: string) => path.join(directory, name);
  await mkdir(directory, { recursive: true });
  const sizes = {
    public: await writeYear(directory, publicNames, { ...size, ...running, year: publicYear }),
    private: await writeYear(directory, privateNames, { ...size, ...running, year: privateYear }),
  };
  const schema = demoHomesSchema;
  await writeFile(at('schema.json'), schemaText(schema));
  const { key, maxSize } = schema.twoLevel!;
  const unit = { kind: 'household', column: key, maxRecords: maxSize } as const;
  await createFileLedger(at(ledgerName), { budget: budgetOf(allowance), unit });
  await mkdir(at(releaseName));
  const made = await releaseHouseholdFiles(at(releaseName), {
    ...running,
    private: at(privateNames.persons),
    households: at(privateNames.households),
    public: at(publicNames.persons),
    publicHouseholds: at(publicNames.households),
    schema,
    mechanism: 'auto',
    budget: spend,
    ledger: at(ledgerName),
    software: `surmise ${version()}`,
  });
  const read = (names: Names, unsafeNonPrivate: boolean): Promise<HouseholdTable> =>
    readHouseholds(at(names.persons), schema, { ...running, households: at(names.households), unsafeNonPrivate });
  // The private year is read as if it were public: the country is fictional.
  const [before, truth] = [await read(publicNames, false), await read(privateNames, true)];
  return { sizes, made, comparison: compareHomes(before, truth, made.model) };
};

interface YearOptions extends Running {
  readonly rows: number;
  readonly seed: number;
  readonly year: number;
}

const writeYear = async (directory: string, names: Names, { rows, seed, year, onProgress, signal }: YearOptions) => {
  const persons = await open(path.join(directory, names.persons), 'wx');
  const households = await open(path.join(directory, names.households), 'wx');
  const made = { persons: 0, households: 0 };
  try {
    for (const part of demoHomesCsv({ rows, seed, year })) {
      signal?.throwIfAborted();
      await persons.appendFile(part.persons);
      await households.appendFile(part.households);
      made.persons += part.rows;
      made.households += part.homes;
      onProgress?.({ stage: `make ${year}`, done: Math.min(made.persons, rows), total: rows });
    }
    return made;
  } finally {
    await persons.close();
    await households.close();
  }
};

/** The demo for programs; `inside` says where a file came to lie. */
export const homesJson = ({ sizes, made, comparison }: HomesDemo, inside: (file: string) => string): string => {
  const placed = (names: Names, numbers: HomesDemo['sizes']['public']) => ({
    persons: { file: inside(names.persons), rows: numbers.persons },
    households: { file: inside(names.households), rows: numbers.households },
  });
  const { mechanism, privacy } = made.manifest;
  const body = {
    country: countryName,
    fictional: true,
    public: placed(publicNames, sizes.public),
    private: placed(privateNames, sizes.private),
    schema: inside('schema.json'),
    release: { directory: inside(releaseName), mechanism, privacy },
    ledger: inside(ledgerName),
    comparison,
  };
  return `${JSON.stringify(body, null, 2)}\n`;
};

/** The demo for a person. */
export const homesDemoText = (
  { sizes, made, comparison }: HomesDemo,
  inside: (file: string) => string,
  io: Io,
): string => {
  const { sampling, privacy } = made.manifest;
  const released = (file: string) => path.join(inside(releaseName), file);
  const line = (file: string, rows: number, what: string) => [file, count(rows), what];
  const files = table(
    [{ title: 'file' }, { title: 'rows', align: 'right' }, { title: 'what it is' }],
    [
      line(inside(publicNames.persons), sizes.public.persons, 'public: persons of an earlier year, open to everybody'),
      line(inside(publicNames.households), sizes.public.households, 'public: their households'),
      line(inside(privateNames.persons), sizes.private.persons, 'private: persons of a later year, to be protected'),
      line(inside(privateNames.households), sizes.private.households, 'private: their households'),
      line(released(sampling?.file ?? ''), sampling?.rows ?? 0, 'released: synthetic persons of the later year'),
      line(
        released(sampling?.households?.file ?? ''),
        sampling?.households?.rows ?? 0,
        'released: their households, with keys that agree',
      ),
    ],
    io,
  );
  const report = released('report.html');
  const again = `surmise release ${inside(privateNames.persons)} --households ${inside(privateNames.households)} --schema ${inside('schema.json')} --epsilon 1 -o again`;
  return `${bold(`${countryName} is a fictional country: nobody in these tables is real.`, io)}

${files}
${bold(`Released with ${made.why ?? made.manifest.mechanism.name}`, io)}

${privacy.text}

${bold('How close the release came', io)} (the truth is fictional, so it may be shown):

${homesText(comparison, { public: publicYear, private: privateYear }, io)}
${dim('Look at it:', io)}        ${made.reportFailure === undefined ? report : `no report: ${made.reportFailure}`}
${dim('Check the release:', io)} surmise verify ${inside(releaseName)} --ledger ${inside(ledgerName)}
${dim('What remains:', io)}      surmise ledger show ${inside(ledgerName)}
${dim('Make another:', io)}      ${again}
`;
};
