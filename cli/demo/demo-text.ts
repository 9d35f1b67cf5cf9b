import path from 'node:path';
import { countryName } from '../../src/advanced.js';
import type { LearnedSchema, MadeRelease } from '../../src/index.js';
import type { Io } from '../command.js';
import { bold, count, dim, table } from '../terminal/print.js';
import { attributeTable } from '../text/attribute-table.js';
import { comparisonText, type DemoComparison } from './demo-comparison.js';
import { type DemoTables, privateYear, publicYear } from './demo-tables.js';

/** What the demo made. */
export interface Demo {
  readonly tables: DemoTables;
  readonly learned: LearnedSchema;
  readonly made: MadeRelease;
  readonly comparison: DemoComparison;
}

/** The file names of what the demo releases, inside its directory. */
export const releaseName = 'release';
export const ledgerName = `private-${privateYear}.csv.ledger.jsonl`;

/** The demo for programs; `inside` says where a file came to lie. */
export const demoJson = ({ tables, learned, made, comparison }: Demo, inside: (file: string) => string): string => {
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

/** The demo for a person. */
export const demoText = (
  { tables, learned, made, comparison }: Demo,
  inside: (file: string) => string,
  io: Io,
): string => {
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
