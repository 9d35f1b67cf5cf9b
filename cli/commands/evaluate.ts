import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  compareHouseholds,
  type EvaluatedSide,
  type Evaluation,
  evaluationHtml,
  evaluationSvg,
  householdSupportModel,
  manifestName,
  supportModel,
} from '../../src/advanced.js';
import {
  type AnyBundle,
  type AnyModel,
  compareMarginals,
  domainFromSchema,
  type HouseholdModel,
  InputError,
  type Schema,
  seeded,
  supportOf,
} from '../../src/index.js';
import { type Args, command, type Io } from '../command.js';
import { plotForm } from '../files/plot-file.js';
import { writeText } from '../files/write-text.js';
import { releaseSchema } from '../options/release-schema.js';
import { evaluationJson, evaluationText } from '../text/evaluate-text.js';

/** Stamped on everything that was made with a private table on one side. */
const warning = 'NOT PRIVATE: this compares with a private table exactly, protects nobody, and must not be published.';

/** One of the two things that are compared: a table, or the directory of a release. */
interface Given {
  readonly name: string;
  /** What it is called in what is written, which may be passed on: where files are is nobody's business. */
  readonly shown: string;
  readonly bundle: AnyBundle | undefined;
  /** The table of the households, where a table has their persons alone. */
  readonly households?: string | undefined;
}

export default command({
  name: 'evaluate',
  usage: ['FIRST SECOND [-o FILE] [options]', 'FIRST SECOND --households FILE ... [options]'],
  about: `Compares two tables that are both public or synthetic, each a table (CSV, TSV, JSON lines, Parquet) or the directory of
a release, whose model is compared then: how far apart all marginals of one, two and three attributes are, and in which cells.
The numbers are exact, so neither table may be private: a table that has a ledger, or that the release came from, is
refused. Where the schema has households, errors of single answers about households and about persons, and the sizes of
households, are compared as well; tables of persons are joined with those of their households (--households, one for each).`,
  examples: [
    'surmise evaluate survey-2018.csv released',
    'surmise evaluate survey-2018.csv released/synthetic.csv -o comparison.html',
  ],
  run: async (args, io) => {
    const { values, operands } = args;
    const { out } = values;
    const form = out === undefined ? undefined : plotForm(out);
    if (values.title !== undefined && form !== 'html')
      throw new InputError('option --title: is for a page (-o FILE.html), got none; name one, or leave it out');
    const bases = operands.map((name) => path.basename(path.resolve(name)));
    const sides: Given[] = [];
    for (const [i, name] of operands.entries())
      sides.push({ name, shown: bases[0] === bases[1] ? name : bases[i], bundle: await bundleAt(name) });
    const given = withHouseholds(sides, values.households);
    for (const side of given) await checkPublic(side, values['unsafe-non-private']);
    const evaluation = await writeText(
      out,
      () => evaluate(args, given, io),
      form === 'html' ? (made) => evaluationHtml(made, values.title) : evaluationSvg,
      { overwrite: values.force, signal: io.running.signal },
    );
    io.out(values.json ? evaluationJson(evaluation) : evaluationText(evaluation, io));
    if (out !== undefined && !values.json) io.out(`\nWrote ${out}.\n`);
  },
});

/** The tables with those of their households: as many are named as there are tables, in their order. */
const withHouseholds = (sides: readonly Given[], households: readonly string[]): readonly Given[] => {
  const tables = sides.filter(({ bundle }) => bundle === undefined);
  if (households.length === 0) return sides;
  if (households.length !== tables.length)
    throw new InputError(
      `option --households: must be given once for each table that is compared, got ${households.length} for ${tables.length}; releases have theirs`,
    );
  return sides.map((side) => ({ ...side, households: households[tables.indexOf(side)] }));
};

const checkPublic = async ({ name, bundle, households }: Given, unsafe: boolean): Promise<void> => {
  if (bundle !== undefined) return;
  const { looksPrivate } = await import('../../adapters/index.js');
  for (const file of households === undefined ? [name] : [name, households]) {
    const sign = await looksPrivate(file);
    if (sign !== undefined && !unsafe)
      throw new InputError(
        `${file}: must be public or synthetic, got a table that ${sign}; what is exact about it must not be published (--unsafe-non-private compares all the same, for your eyes only)`,
      );
  }
};

const evaluate = async (
  { values }: Args<'evaluate'>,
  sides: readonly Given[],
  { running }: Io,
): Promise<Evaluation> => {
  const unsafe = values['unsafe-non-private'];
  const reading = { ...running, unsafeNonPrivate: unsafe };
  const schema = await schemaFor(sides, values, reading);
  const domain = domainFromSchema(schema);
  if (schema.twoLevel === undefined && values.households.length > 0)
    throw new InputError('option --households: is for a schema with twoLevel, got one without; leave it out');
  const [{ model: a, ...one }, { model: b, ...two }] = [
    await sideOf(sides[0], schema, reading),
    await sideOf(sides[1], schema, reading),
  ];
  if (JSON.stringify(a.domain) !== JSON.stringify(b.domain))
    throw new InputError(
      `${sides[1].name}: must have the attributes and cells of ${sides[0].name}, got others; compare tables by one --schema`,
    );
  const { 'max-cells': maxCells, marginals: most, worst, seed } = values;
  const ways = await compareMarginals(a, b, { ...running, maxCells, most, worst, random: seeded(seed) });
  const households =
    isOfHouseholds(a) && isOfHouseholds(b)
      ? await compareHouseholds(a, b, { ...running, maxCells, most, random: seeded(seed) })
      : undefined;
  return { first: one, second: two, domain, ways, households, warning: unsafe ? warning : undefined };
};

type Reading = Io['running'] & { readonly unsafeNonPrivate: boolean };

const isOfHouseholds = (model: AnyModel): model is HouseholdModel => 'households' in model;

const sideOf = async (
  { name, shown, bundle, households }: Given,
  schema: Schema,
  reading: Reading,
): Promise<EvaluatedSide & { readonly model: AnyModel }> => {
  if (bundle !== undefined) return { name: shown, kind: 'release', rows: bundle.model.total, model: bundle.model };
  const { readHouseholds, readTable } = await import('../../adapters/index.js');
  const side = (rows: number, model: () => AnyModel) => {
    if (rows === 0) throw new InputError(`${name}: must have at least one row, got none`);
    return { name: shown, kind: 'table' as const, rows, model: model() };
  };
  if (schema.twoLevel !== undefined) {
    const table = await readHouseholds(name, schema, { ...reading, households, random: seeded(1) });
    const homes = table.offsets.length - 1;
    const even = () => householdSupportModel({ table, weights: new Float64Array(homes).fill(1 / homes) }, homes);
    return side(table.length, even);
  }
  const table = await readTable(name, domainFromSchema(schema), reading);
  return side(table.length, () => supportModel(supportOf(table), table.length));
};

/** The release in a directory; undefined for a file. */
const bundleAt = async (name: string): Promise<AnyBundle | undefined> => {
  const found = await stat(name).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  const { bundleDirectory, readAnyBundle } = await import('../../adapters/index.js');
  const store = await bundleDirectory(name);
  if ((await store.read(manifestName)) === undefined)
    throw new InputError(
      `${name}: must be a table or the directory of a release, got a directory without ${manifestName}`,
    );
  return readAnyBundle(name);
};

const schemaFor = async (
  sides: readonly Given[],
  { schema, exclude }: Pick<Args<'evaluate'>['values'], 'schema' | 'exclude'>,
  reading: Reading,
): Promise<Schema> => {
  const released = sides.find(({ bundle }) => bundle !== undefined)?.bundle;
  if (released === undefined)
    return (await releaseSchema({ ...reading, public: sides[0].name, schema, exclude })).schema;
  for (const [option, given] of Object.entries({ schema: schema !== undefined, exclude: exclude.length > 0 }))
    if (given)
      throw new InputError(
        `option --${option}: is for two tables, got a release, which has its own schema; leave it out`,
      );
  return released.manifest.schema;
};
