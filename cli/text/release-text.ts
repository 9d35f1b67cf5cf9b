import path from 'node:path';
import { amongText, hasFormulaTexts, manifestName } from '../../src/advanced.js';
import { type AnyModel, domainFromSchema, type MadeRelease } from '../../src/index.js';
import type { Io } from '../command.js';
import { bold, count, dim, table, yellow } from '../terminal/print.js';
import { beyondText } from './beyond-text.js';
import { quoted } from './quoted.js';

/** What a release left, for a person: the files, the guarantee, and what to do next. */
export const releaseText = (
  directory: string,
  ledger: string,
  made: MadeRelease<AnyModel> & { readonly notes?: readonly string[] | undefined },
  io: Io,
): string => {
  const { manifest, notes, why } = made;
  const { privacy, mechanism } = manifest;
  const { among, file } = manifest.public ?? {};
  const { gaveUp = [] } = manifest.configuration?.limits ?? {};
  const remarks = (notes ?? []).map((note) => `${note}\n`).join('');
  const text = privacy.seeded ? yellow(privacy.text, io) : privacy.text;
  return `${remarks}${remarks && '\n'}${bold(`Released with ${why ?? `${mechanism.name}:`}`, io)}${among === undefined ? '' : `\n${amongText(among, file!)}`}

${filesText(directory, made, io)}
${gaveUp.map((what) => `Given up to stay within the limits: ${what}.\n`).join('')}${beyondText(made.beyond, io)}${text}

${spreadsheetLine(made)}${reportLine(directory, made, io)}${dim('Check it:', io)} surmise verify ${directory} --ledger ${quoted(ledger)}
${dim('What remains:', io)} surmise ledger show ${quoted(ledger)}
`;
};

/** The same of a release that was made anew from its measurements. */
export const refitText = (directory: string, made: MadeRelease<AnyModel>, io: Io): string => {
  const { refit, mechanism } = made.manifest;
  const how =
    refit?.estimator === undefined
      ? 'Drawn anew from the model of the release'
      : `Fitted anew by ${refit.estimator} to what ${mechanism.name} measured`;
  return `${bold(`${how}; nothing was spent:`, io)}

${filesText(directory, made, io)}
${beyondText(made.beyond, io)}${spreadsheetLine(made)}${reportLine(directory, made, io)}${dim('Check it:', io)} surmise verify ${directory}
`;
};

/** The files of a release, and what each is. */
const filesText = (directory: string, { manifest }: MadeRelease<AnyModel>, io: Io): string => {
  const { sampling, measurements, files } = manifest;
  const what: Readonly<Record<string, string>> = {
    [sampling?.file ?? '']:
      `${count(sampling?.rows ?? 0)} synthetic ${sampling?.households === undefined ? 'rows' : 'persons, with the key of their household'}`,
    [sampling?.households?.file ?? '']:
      `the ${count(sampling?.households?.rows ?? 0)} synthetic households of these persons`,
    'model.bin': `the model: answers${sampling === undefined ? '' : sampling.households === undefined ? ' and more rows' : ' and more households'}, at no cost`,
    'measurements.bin': `the noisy values of ${count(measurements.length)} measurements`,
    'report.html': 'the report: open it in a browser',
    'replicates.bin': 'models of the same fit with other noise, for bounds of answers',
    'bundle.json': 'what was done, and the privacy statement with its charges',
  };
  const rows = [...files.map(({ name, bytes }) => [name, count(bytes)]), ['bundle.json', '']];
  return table(
    [{ title: 'file' }, { title: 'bytes', align: 'right' }, { title: 'what it is' }],
    rows.map(([name, bytes]) => [path.join(directory, name), bytes, what[name] ?? '']),
    io,
  );
};

/** What to know before the rows are opened in a spreadsheet; nothing where no text could be taken for a formula. */
const spreadsheetLine = ({ manifest }: MadeRelease<AnyModel>): string => {
  const { configuration, sampling, schema } = manifest;
  if (configuration?.spreadsheet)
    return `${sampling?.file} is for spreadsheets: an apostrophe stands before texts that would be taken for a formula.\n`;
  return sampling?.file.endsWith('.csv') && hasFormulaTexts(domainFromSchema(schema))
    ? `Some texts in ${sampling.file} begin with =, +, - or @, which a spreadsheet takes for formulas: for one, release with --spreadsheet.\n`
    : '';
};

/** Where the report is, or why there is none. */
const reportLine = (directory: string, { reportFailure }: MadeRelease<AnyModel>, io: Io): string =>
  reportFailure === undefined
    ? `${dim('Look at it:', io)} ${path.join(directory, 'report.html')}\n`
    : `${yellow(`The report could not be made: ${reportFailure}`, io)}\n${dim('Try again:', io)} surmise report ${directory}\n`;

/** Everything of bundle.json but its long lists, and what lies beyond the schema. */
export const releaseJson = (
  directory: string,
  { manifest, beyond }: Pick<MadeRelease<AnyModel>, 'manifest' | 'beyond'>,
): string => {
  const { charges, measurements, schema, ...summary } = manifest;
  const made = {
    directory,
    bundle: path.join(directory, manifestName),
    ...summary,
    measurements: measurements.length,
    beyond,
  };
  return `${JSON.stringify(made, null, 2)}\n`;
};
