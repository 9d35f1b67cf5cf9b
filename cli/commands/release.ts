import path from 'node:path';
import { checkDistinct } from '../../adapters/distinct-tables.js';
import type { MadeRelease } from '../../adapters/make-release.js';
import { tableFile } from '../../adapters/table-file.js';
import { writeWholeDirectory } from '../../adapters/write-whole.js';
import { manifestName } from '../../src/bundle/manifest.js';
import { InputError } from '../../src/domain/input-error.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { mechanismNamed, mechanisms } from '../../src/release/registry.js';
import { command } from '../command.js';
import { budgetRequest, privateHelp, privateOptions, relationFrom, unitFrom } from '../release-options.js';
import { releaseText } from '../release-text.js';
import { mechanismLines, settingsFrom } from '../settings.js';
import { systemReason } from '../system-error.js';
import { version } from '../version.js';
import { wholeNumber } from '../whole-number.js';

const largestSeed = 2 ** 52 - 1;

export default command({
  name: 'release',
  summary: 'release synthetic rows and a model of a private table, with differential privacy',
  help: `usage: surmise release PRIVATE --public PUBLIC --epsilon E -o DIR [options]

Measures a private table with exact noise, within a budget that its ledger keeps, fits a model that starts from a public
table of the same columns, and writes a new directory: synthetic rows, the model, the measurements, and bundle.json with
the privacy statement. Nothing else of the private table leaves.

  -o, --out DIR           the directory to make; it appears whole or not at all
      --public FILE       a public table with the same columns
${privateHelp}
      --mechanism NAME    how, see below (${mechanisms[0].name})
      --set NAME=VALUE    set something of the mechanism; may be given several times
      --rows N            number of synthetic rows (the estimated number, which is noisy, of private rows)
      --format F          csv or parquet (csv)
      --seed N            for drawing rows from the model, so that they can be drawn again; never for noise
      --unsafe-seed N     FOR TESTS: noise from a seed, which protects nobody; the bundle says so
      --json              print bundle.json's summary as JSON
      --verbose           say where an unexpected error came from
  -h, --help              this text

mechanisms, with what can be set:
${mechanismLines(mechanisms)}

example:
  surmise release survey.csv --public survey-2018.csv --epsilon 1 -o released
  surmise verify released --ledger survey.csv.ledger.jsonl`,
  options: {
    ...privateOptions,
    out: { type: 'string', short: 'o' },
    public: { type: 'string' },
    mechanism: { type: 'string' },
    set: { type: 'string', multiple: true },
    rows: { type: 'string' },
    format: { type: 'string' },
    seed: { type: 'string' },
    'unsafe-seed': { type: 'string' },
    json: { type: 'boolean' },
  },
  operands: ['PRIVATE'],
  run: async ({ values, positionals: [file] }, io) => {
    const { out } = values;
    if (out === undefined) throw new InputError('option --out: must name the directory to make, got none; add -o DIR');
    const mechanism = mechanismNamed(values.mechanism ?? mechanisms[0].name);
    const settings = settingsFrom(values.set ?? [], mechanism);
    if (mechanism.needs === 'public-table' && values.public === undefined)
      throw new InputError(
        `option --public: ${mechanism.name} needs a public table as its prior, got none; name one, or use ${withoutPublic()}`,
      );
    const rows = wholeNumber('rows', values.rows, { min: 1, max: 1e10, otherwise: undefined });
    const seed = wholeNumber('seed', values.seed, { min: 0, max: largestSeed, otherwise: undefined });
    const unsafe = wholeNumber('unsafe-seed', values['unsafe-seed'], {
      min: 0,
      max: largestSeed,
      otherwise: undefined,
    });
    const { format = 'csv' } = values;
    if (format !== 'csv' && format !== 'parquet')
      throw new InputError(`option --format: must be csv or parquet, got ${JSON.stringify(format)}`);
    const unit = unitFrom(values);
    const budget = budgetRequest(values);
    budgetOf(budget); // a budget that makes no sense is told at once
    const ledger = values.ledger ?? `${file}.ledger.jsonl`;
    const running = { onProgress: io.progress, signal: io.signal };
    const request = {
      ...running,
      private: file,
      mechanism,
      settings,
      budget,
      relation: relationFrom(values),
      ledger,
      format,
      software: `surmise ${version()}`,
      ...(values.public === undefined ? {} : { public: values.public }),
      ...(unit && { unit }),
      ...(values.dataset === undefined ? {} : { dataset: values.dataset }),
      ...(rows === undefined ? {} : { rows }),
      ...(seed === undefined ? {} : { seed }),
      ...(unsafe === undefined ? {} : { entropy: seededEntropy(unsafe) }),
    } as const;
    // Wrong names are told before the database is loaded, which takes a moment.
    await tableFile(file);
    if (values.public !== undefined) await checkDistinct(file, values.public);

    let spending = false;
    let made: (MadeRelease & { notes: readonly string[] }) | undefined;
    const fill = async (temporary: string): Promise<void> => {
      const [{ releaseSchema }, { makeRelease }] = await Promise.all([
        import('../release-schema.js'),
        import('../../adapters/make-release.js'),
      ]);
      const { schema, notes } = await releaseSchema({ ...running, ...values, unitId: values['unit-id'] });
      const onReserved = () => {
        spending = true;
      };
      made = { ...(await makeRelease(temporary, { ...request, schema, onReserved })), notes };
    };
    try {
      await writeWholeDirectory(out, fill, { signal: io.signal });
    } catch (error) {
      if (spending) io.err(`surmise: what was spent stays spent; see surmise ledger show ${ledger}\n`);
      const reason = systemReason(error);
      throw reason === undefined ? error : new InputError(`${out}: ${reason}`);
    }
    if (made === undefined) return;
    io.out(values.json ? json(out, made) : releaseText(out, ledger, made, io));
  },
});

const withoutPublic = (): string => {
  const others = mechanisms.filter(({ needs }) => needs !== 'public-table').map(({ name }) => `--mechanism ${name}`);
  return others.length === 0 ? 'a later version' : others.join(' or ');
};

/** Everything of bundle.json but its long lists. */
const json = (directory: string, { manifest }: MadeRelease): string => {
  const { charges, measurements, schema, ...summary } = manifest;
  const made = { directory, bundle: path.join(directory, manifestName), ...summary, measurements: measurements.length };
  return `${JSON.stringify(made, null, 2)}\n`;
};
