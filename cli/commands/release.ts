import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkOriginName } from '../../adapters/private/check-origin.js';
import { assertPublic } from '../../adapters/private/looks-private.js';
import { tableFile } from '../../adapters/table/table-file.js';
import { writeWholeDirectory } from '../../adapters/write-whole.js';
import { manifestName } from '../../src/bundle/manifest.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import type { MadeRelease } from '../../src/flow/make-release.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import type { Mechanism } from '../../src/release/mechanism.js';
import { mechanismNamed, mechanisms } from '../../src/release/registry.js';
import { command } from '../command.js';
import { effectiveValues, readConfiguration } from '../options/configuration.js';
import { ledgerFor } from '../options/ledger-for.js';
import {
  budgetRequest,
  outsideFrom,
  privateHelp,
  privateOptions,
  relationFrom,
  unitFrom,
} from '../options/release-options.js';
import { mechanismLines, settingsFrom } from '../options/settings.js';
import { wholeNumber } from '../options/whole-number.js';
import { systemReason } from '../system-error.js';
import { planJson, planText } from '../text/plan-text.js';
import { releaseText } from '../text/release-text.js';
import { stopRemark } from '../text/stop-remark.js';
import { version } from '../version.js';

const largestSeed = 2 ** 52 - 1;

export default command({
  name: 'release',
  summary: 'release synthetic rows and a model of a private table, with differential privacy',
  help: `usage: surmise release PRIVATE [--public PUBLIC] --epsilon E -o DIR [options]
       surmise release --dry-run [PRIVATE] [--public PUBLIC] --epsilon E [options]

Measures a private table with exact noise, within a budget that its ledger keeps, fits a model that starts from a public
table of the same columns where there is one, and writes a new directory: synthetic rows, the model, the measurements, and
bundle.json with the privacy statement. Nothing else of the private table leaves.

  -o, --out DIR           the directory to make; it appears whole or not at all
      --public FILE       a public table with the same columns
${privateHelp}
      --mechanism NAME    how, see below; auto (the default) chooses by what is public and says why
      --set NAME=VALUE    set something of the mechanism; may be given several times
      --rows N            number of synthetic rows (the estimated number, which is noisy, of private rows)
      --format F          csv or parquet (csv)
      --spreadsheet       for csv that people open in a spreadsheet: an apostrophe before texts and column names that it would
                          take for a formula (=, +, -, @, tab); programs that read the rows back see it too
      --bootstrap N       replicates of the fit, for bounds of any answer; 0 for none (8, or 0 where they would take long)
      --seed N            for drawing rows from the model, so that they can be drawn again; never for noise
      --config FILE       options from a file (surmise.config.json here, if there is one), or those of an earlier release:
                          name its directory. What is typed wins
      --dry-run           show what would be measured, with which noise and error, how long and how large; the private
                          table is not opened, no ledger is touched, nothing is spent
      --expect-rows N     with --dry-run: show errors as shares of N private rows, if you know such a number from elsewhere
      --rehearse          with --dry-run: try it with one half of the public table in the private one's place
      --unsafe-seed N     FOR TESTS: noise from a seed, which protects nobody; the bundle says so. Needs --ledger: a new
                          file, or one of surmise ledger init --unsafe-seeds
      --json              print bundle.json's summary, or the plan, as JSON
      --verbose           say where an unexpected error came from
  -h, --help              this text

mechanisms, with what can be set:
${mechanismLines(mechanisms)}

example:
  surmise release survey.csv --public survey-2018.csv --epsilon 1 --dry-run
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
    spreadsheet: { type: 'boolean' },
    bootstrap: { type: 'string' },
    seed: { type: 'string' },
    config: { type: 'string' },
    'dry-run': { type: 'boolean' },
    'expect-rows': { type: 'string' },
    rehearse: { type: 'boolean' },
    'unsafe-seed': { type: 'string' },
    json: { type: 'boolean' },
  },
  operands: ['[PRIVATE]'],
  run: async ({ values: typed, positionals }, io) => {
    const configuration = await readConfiguration(typed.config);
    const values = configuration === undefined ? typed : effectiveValues(typed, configuration);
    const file = positionals[0] ?? configuration?.private;
    const dry = values['dry-run'] === true;
    if (file === undefined && !dry)
      throw new InputError('release: needs PRIVATE, got none; see surmise release --help');
    const { out } = values;
    if (out === undefined && !dry)
      throw new InputError('option --out: must name the directory to make, got none; add -o DIR');
    for (const option of ['expect-rows', 'rehearse'] as const)
      if (typed[option] !== undefined && !dry)
        throw new InputError(`option --${option}: is for a dry run, got it without; add --dry-run or leave it out`);
    const name = values.mechanism ?? 'auto';
    const mechanism = name === 'auto' ? name : mechanismNamed(name);
    const settings = (chosen: Mechanism) => settingsFrom(values.set ?? [], chosen);
    if (mechanism !== 'auto') {
      settings(mechanism);
      if (mechanism.needs === 'public-table' && values.public === undefined)
        throw new InputError(
          `option --public: ${mechanism.name} needs a public table as its prior, got none; name one, or use ${withoutPublic()}`,
        );
    }
    const rows = wholeNumber('rows', values.rows, { min: 1, max: 1e10, otherwise: undefined });
    const seed = wholeNumber('seed', values.seed, { min: 0, max: largestSeed, otherwise: undefined });
    const unsafe = wholeNumber('unsafe-seed', values['unsafe-seed'], {
      min: 0,
      max: largestSeed,
      otherwise: undefined,
    });
    const bootstrap = wholeNumber('bootstrap', values.bootstrap, { min: 0, max: 1000, otherwise: undefined });
    if (bootstrap === 1)
      throw new InputError('option --bootstrap: must be 0 or from 2 on, got 1; one replicate shows no spread');
    const { format = 'csv' } = values;
    if (format !== 'csv' && format !== 'parquet')
      throw new InputError(`option --format: must be csv or parquet, got ${JSON.stringify(format)}`);
    if (values.spreadsheet && format !== 'csv')
      throw new InputError('option --spreadsheet: is for csv, got --format parquet; leave one of them out');
    const unit = unitFrom(values);
    const outside = outsideFrom(values);
    const budget = budgetRequest(values);
    budgetOf(budget); // a budget that makes no sense is told at once
    const running = { onProgress: io.progress, signal: io.signal };
    const asked = {
      ...running,
      mechanism,
      settings,
      budget,
      relation: relationFrom(values),
      outside,
      public: values.public,
      unit,
      workload: configuration?.workload,
    } as const;
    /** The schema of the release that is made again, the given one, or one learned from the public table. */
    const schemaOf = async (): Promise<{ readonly schema: Schema; readonly notes: readonly string[] }> => {
      const told = configuration === undefined ? [] : [`Options from ${configuration.file}.`];
      if (configuration?.schema !== undefined && values.schema === undefined && values.exclude === undefined)
        return { schema: configuration.schema, notes: told };
      const { releaseSchema } = await import('../options/release-schema.js');
      const { schema, notes } = await releaseSchema({
        ...running,
        ...values,
        private: file,
        unitId: values['unit-id'],
      });
      return { schema, notes: [...told, ...notes] };
    };
    if (values.public !== undefined) await assertPublic(values.public, { private: file });

    if (dry) {
      const expectedRows = wholeNumber('expect-rows', values['expect-rows'], {
        min: 1,
        max: 1e12,
        otherwise: undefined,
      });
      const expected = expectedRows === undefined ? {} : { expectedRows };
      const { schema, notes } = await schemaOf();
      if (file !== undefined) await checkOriginName(schema, file);
      io.err(stopRemark(schema, outside));
      const { planFiles } = await import('../../adapters/plan-files.js');
      const rehearse = values.rehearse === true;
      const replicates = bootstrap === undefined ? {} : { bootstrap };
      const planned = await planFiles({
        ...asked,
        ...expected,
        ...replicates,
        private: file,
        schema,
        rehearse,
      });
      io.out(values.json ? planJson(planned, notes) : planText(planned, notes, io));
      return;
    }
    if (file === undefined || out === undefined) return;
    await tableFile(file); // a wrong name is told before the database is loaded, which takes a moment
    const ledger = await ledgerFor(file, values, unsafe !== undefined);
    if (configuration?.schema !== undefined && !existsSync(ledger))
      throw new InputError(
        `ledger ${ledger}: must exist when a release is made again, got no such file; name the private table's ledger with --ledger, or make one with surmise ledger init`,
      );
    const request = {
      ...asked,
      private: file,
      ledger: values.ledger,
      ...(values['another-ledger'] === true ? { anotherLedger: true } : {}),
      format,
      ...(values.spreadsheet && { spreadsheet: true }),
      software: `surmise ${version()}`,
      dataset: values.dataset,
      rows,
      bootstrap,
      seed,
      ...(unsafe === undefined ? {} : { entropy: seededEntropy(unsafe) }),
    } as const;
    let spending = false;
    let made: (MadeRelease & { notes: readonly string[] }) | undefined;
    const fill = async (temporary: string): Promise<void> => {
      const { releaseFiles } = await import('../../adapters/release-files.js');
      const { schema, notes } = await schemaOf();
      const onOpen = () => io.err(stopRemark(schema, outside));
      const onReserved = () => {
        spending = true;
      };
      made = { ...(await releaseFiles(temporary, { ...request, schema, onOpen, onReserved })), notes };
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
  return ['--mechanism auto', ...others].join(' or ');
};

/** Everything of bundle.json but its long lists. */
const json = (directory: string, { manifest }: MadeRelease): string => {
  const { charges, measurements, schema, ...summary } = manifest;
  const made = { directory, bundle: path.join(directory, manifestName), ...summary, measurements: measurements.length };
  return `${JSON.stringify(made, null, 2)}\n`;
};
