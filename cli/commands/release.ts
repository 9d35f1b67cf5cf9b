import type { DraftedFile } from '../../adapters/index.js';
import { type Forecast, householdMechanisms, seededEntropy } from '../../src/advanced.js';
import { type AnyMechanism, InputError, mechanisms, type Schema, type Workload } from '../../src/index.js';
import { type Args, command, type Io } from '../command.js';
import { discoveredUnit, draftFor, planDiscovered } from '../discover/release-discovered.js';
import { checkAddress, queryOf, writeTo } from '../files/databases.js';
import { resumably } from '../files/resumably.js';
import { writeDirectory } from '../files/write-directory.js';
import { budgetRequest, checkSpreadsheet, unitFor } from '../options/combined.js';
import { ledgerFor } from '../options/ledger-for.js';
import { mechanismLines, settingsFrom } from '../options/mechanism-kinds.js';
import { releaseSchema } from '../options/release-schema.js';
import { workloadFor } from '../options/workload.js';
import { forecastText } from '../text/forecast-text.js';
import { planJson, planText } from '../text/plan-text.js';
import { releaseJson, releaseText } from '../text/release-text.js';
import { stopRemark } from '../text/stop-remark.js';
import { version } from '../version.js';

type ReleaseArgs = Args<'release'>;

export default command({
  name: 'release',
  usage: [
    'PRIVATE [--public PUBLIC ...] --epsilon E -o DIR [options]',
    'PRIVATE --discover --epsilon E -o DIR [options]',
    'postgres://HOST/DATABASE?table=NAME --ledger FILE [--query FILE] --epsilon E -o DIR [options]',
    'PERSONS [--households HOUSEHOLDS] --schema FILE --epsilon E -o DIR [options]',
    '--dry-run [PRIVATE] [--public PUBLIC ...] --epsilon E [options]',
  ],
  about: `Measures a private table with exact noise, within a budget that its ledger keeps, fits a model that starts from a public
table of the same columns where there is one, and writes a new directory: synthetic rows, the model, the measurements, and
bundle.json with the privacy statement. Nothing else of the private table leaves. Where the schema says what households are
(twoLevel), PRIVATE holds persons, with --households or with what is said of their households beside them, and both tables are
made, with keys that agree. PRIVATE may be a table of a PostgreSQL database: it is counted there, and nothing but counts leaves
the server. Passwords come from PGPASSWORD, PGPASSFILE (~/.pgpass) or PGSERVICE; other hosts are reached over TLS.`,
  more: () => `mechanisms, with what can be set:\n${mechanismLines()}`,
  examples: [
    'surmise release survey.csv --public survey-2018.csv --epsilon 1 --dry-run',
    'surmise release survey.csv --public survey-2018.csv --epsilon 1 --workload all-3way --dry-run',
    'surmise release survey.csv --public survey-2018.csv --epsilon 1 -o released',
    'surmise release survey.csv --public survey-2018.csv --public neighbours.csv --stand-in survey-2021.csv --epsilon 1 --dry-run',
    'surmise release survey.csv --public survey-2018.csv --public neighbours.csv --publics paid --epsilon 1 -o released',
    'surmise release persons.csv --households households.csv --schema schema.json --epsilon 1 -o released',
    'surmise release survey.csv --discover --epsilon 1 --dry-run',
    "surmise release 'postgres://db/survey?table=persons' --schema schema.json --epsilon 1 --ledger p.ledger.jsonl -o released",
    'surmise verify released --ledger survey.csv.ledger.jsonl',
  ],
  run: async (args, io) => {
    const { values, operands, configuration } = args;
    const file = (operands as readonly (string | undefined)[])[0] ?? configuration?.private;
    const target = values['dry-run'] ? undefined : targetOf(file, values.out);
    checkModes(args);
    await checkAddress(args, file);
    const asked = askedOf(args, io);
    const all = [...values.public, values['stand-in'], values['public-households']];
    const publics = all.filter((name) => name !== undefined);
    if (publics.length > 0) {
      const { assertPublic } = await import('../../adapters/index.js');
      for (const name of publics) await assertPublic(name, { private: hiddenOf(args, file) });
    }
    const drafted = await draftFor(args, file);
    if (drafted !== undefined && target === undefined) return planDiscovered(args, drafted, asked.budget, io);
    return target === undefined ? plan(args, asked, file, io) : release(args, asked, target, io, drafted);
  },
});

/** The private files that are named: a dry run opens none of them. */
const hiddenOf = ({ values }: Pick<ReleaseArgs, 'values'>, file: string | undefined): readonly string[] =>
  [file, values.households].filter((name) => name !== undefined);

interface Target {
  readonly file: string;
  readonly out: string;
}

/** What a release needs and a dry run can do without. */
const targetOf = (file: string | undefined, out: string | undefined): Target => {
  if (file === undefined) throw new InputError('release: needs PRIVATE, got none; see surmise release --help');
  if (out === undefined) throw new InputError('option --out: must name the directory to make, got none; add -o DIR');
  return { file, out };
};

const checkModes = ({ values, typed }: ReleaseArgs): void => {
  if (typed.has('rehearse') && !values['dry-run'])
    throw new InputError('option --rehearse: is for a dry run, got it without; add --dry-run or leave it out');
  for (const option of ['resume', 'discard'])
    if (typed.has(option) && values['dry-run'])
      throw new InputError(`option --${option}: is for a release, got it with --dry-run; leave one of them out`);
  if (values.bootstrap === 1)
    throw new InputError('option --bootstrap: must be 0 or from 2 on, got 1; one replicate shows no spread');
  checkSpreadsheet(values);
};

/** What a plan and a release have in common. */
const askedOf = ({ values }: ReleaseArgs, io: Io) => {
  const { mechanism } = values;
  const settings = (chosen: AnyMechanism) => settingsFrom(values.set, chosen);
  if (mechanism !== 'auto') {
    settings(mechanism);
    if (mechanism.needs === 'public-table' && values.public.length === 0)
      throw new InputError(
        `option --public: ${mechanism.name} needs a public table as its prior, got none; name one, or use ${withoutPublic(mechanism)}`,
      );
  }
  const { relation, outside, bootstrap, threads, time, memory, rows } = values;
  const limits = time === undefined && memory === undefined ? undefined : { seconds: time, bytes: memory };
  const budget = budgetRequest(values);
  return {
    ...io.running,
    ...publicsOf(values),
    mechanism,
    settings,
    budget,
    relation,
    outside,
    bootstrap,
    threads,
    limits,
    rows,
    expectedRows: values['expect-rows'],
  };
};

/** The public tables and what becomes of several. */
const publicsOf = ({ public: files, publics, share, ...values }: ReleaseArgs['values']) => {
  const weights = values['public-weight'];
  return {
    public: files,
    publicHouseholds: values['public-households'],
    publics,
    publicWeights: weights.length === 0 ? undefined : weights,
    standIn: values['stand-in'],
    choosingShare: share,
  };
};

type Asked = ReturnType<typeof askedOf>;

const withoutPublic = ({ level }: AnyMechanism): string => {
  const list: readonly AnyMechanism[] = level === 'households' ? householdMechanisms : mechanisms;
  const others = list.filter(({ needs }) => needs !== 'public-table').map(({ name }) => `--mechanism ${name}`);
  return ['--mechanism auto', ...others].join(' or ');
};

/** The schema of the release that is made again, the given one, or one learned from the public table. */
const schemaFor = async (
  { values, typed, configuration }: ReleaseArgs,
  file: string | undefined,
  io: Io,
): Promise<{ readonly schema: Schema; readonly notes: readonly string[] }> => {
  const told = configuration === undefined ? [] : [`Options from ${configuration.file}.`];
  if (configuration?.schema !== undefined && !typed.has('schema') && !typed.has('exclude'))
    return { schema: checkedLevels(configuration.schema, values), notes: told };
  const { schema, notes } = await releaseSchema({
    ...io.running,
    ...values,
    public: values.public[0],
    private: hiddenOf({ values }, file),
    unitId: values['unit-id'],
    publicHouseholds: values['public-households'],
    maxSize: values['max-size'],
  });
  return { schema: checkedLevels(schema, values), notes: [...told, ...notes] };
};

/** Refuses what is said of households where the schema has none, or says otherwise. */
const checkedLevels = (schema: Schema, values: ReleaseArgs['values']): Schema => {
  const { twoLevel } = schema;
  if (twoLevel === undefined) {
    const stray = (['households', 'public-households', 'key', 'max-size'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (stray !== undefined)
      throw new InputError(
        `option --${stray}: is for a schema with twoLevel, got one without; leave it out, or say in the schema what households are (docs/households.md)`,
      );
    return schema;
  }
  const { key, 'max-size': maxSize } = values;
  if (key !== undefined && key !== twoLevel.key)
    throw new InputError(
      `option --key: must be that of the schema, ${JSON.stringify(twoLevel.key)}, got ${JSON.stringify(key)}; leave it out`,
    );
  if (maxSize !== undefined && maxSize !== twoLevel.maxSize)
    throw new InputError(
      `option --max-size: must be that of the schema, ${twoLevel.maxSize}, got ${maxSize}; leave it out`,
    );
  return schema;
};

/** What to answer well: as typed or configured, or as it was for the release that is made again. */
const workloadOf = async ({ values, configuration }: ReleaseArgs, schema: Schema): Promise<Workload | undefined> =>
  (await workloadFor(values.workload, schema, values.outside)) ?? configuration?.workload;

/** Shows what would be done. The private table stays closed. */
const plan = async (args: ReleaseArgs, asked: Asked, file: string | undefined, io: Io): Promise<undefined> => {
  const { values } = args;
  const { checkOriginName, planFiles } = await import('../../adapters/index.js');
  const { schema, notes } = await schemaFor(args, file, io);
  if (file !== undefined) await checkOriginName(schema, file);
  io.err(stopRemark(schema, asked.outside));
  const planned = await planFiles({
    ...asked,
    private: hiddenOf(args, file),
    schema,
    unit: unitFor(values, schema),
    workload: await workloadOf(args, schema),
    rehearse: values.rehearse,
  });
  io.out(values.json ? planJson(planned, notes) : planText(planned, notes, io));
};

const release = async (
  args: ReleaseArgs,
  asked: Asked,
  { file, out }: Target,
  io: Io,
  drafted: DraftedFile | undefined,
): Promise<undefined> => {
  const { values, configuration, words } = args;
  const {
    checkTarget,
    discoverFiles,
    finishUnfinished,
    isAddress,
    ledgerExists,
    releaseFiles,
    releaseHouseholdFiles,
    tableFile,
  } = await import('../../adapters/index.js');
  // A wrong name is told before anything is learned.
  for (const name of [file, values.households]) if (name !== undefined && !isAddress(name)) await tableFile(name);
  const seed = values['unsafe-seed'];
  const ledger = await ledgerFor(file, values.ledger, seed !== undefined);
  if (configuration?.schema !== undefined && !(await ledgerExists(ledger)))
    throw new InputError(
      `ledger ${ledger}: must exist when a release is made again, got no such file; name the private table's ledger with --ledger, or make one with surmise ledger init`,
    );
  const { resume, discard } = values;
  if (values.to !== undefined) await checkTarget(values.to, io.running);
  if (resume && !discard && (await finishUnfinished(out))) {
    await writeTo(out, values.to, io);
    io.out(
      values.json ? `${JSON.stringify({ directory: out, whole: true })}\n` : `${out}: the release is whole already.\n`,
    );
    return;
  }
  const { made, notes } = await resumably({ out, ledger, resume, discard, words }, io, (open) =>
    writeDirectory(
      out,
      async (temporary) => {
        const told = {
          private: file,
          ledger: values.ledger,
          anotherLedger: values['another-ledger'],
          format: values.format,
          spreadsheet: values.spreadsheet,
          software: `surmise ${version()}`,
          dataset: values.dataset,
          title: values.title,
          seed: values.seed,
          entropy: seed === undefined ? undefined : seededEntropy(seed),
        };
        // In a pipe there is nobody to plan by it, as there is no progress line.
        const onForecast =
          io.isTerminal || asked.limits !== undefined
            ? (forecast: Forecast) => io.err(`${forecastText(forecast)}\n`)
            : undefined;
        if (drafted !== undefined) {
          const { budget, mechanism, settings, relation, outside, bootstrap } = asked;
          const { threads, limits, rows, expectedRows } = asked;
          const made = await discoverFiles(temporary, {
            ...io.running,
            ...told,
            ...{ budget, mechanism, settings, relation, outside, bootstrap },
            ...{ threads, limits, rows, expectedRows, onForecast },
            draft: drafted.draft,
            unit: await discoveredUnit(args, drafted),
            discoverShare: values['discover-share'],
            query: await queryOf(values, drafted.draft),
            ...(await open()),
          });
          return { made, notes: [...drafted.notes, ...made.notes.map(({ column, note }) => `${column}: ${note}`)] };
        }
        const { schema, notes } = await schemaFor(args, file, io);
        const make = schema.twoLevel === undefined ? releaseFiles : releaseHouseholdFiles;
        const made = await make(temporary, {
          ...asked,
          ...told,
          households: values.households,
          query: await queryOf(values, schema),
          schema,
          unit: unitFor(values, schema),
          workload: await workloadOf(args, schema),
          onOpen: () => io.err(stopRemark(schema, asked.outside)),
          onForecast,
          ...(await open()),
        });
        return { made, notes };
      },
      io,
    ),
  );
  await writeTo(out, values.to, io);
  io.out(values.json ? releaseJson(out, made) : releaseText(out, ledger, { ...made, notes }, io));
};
