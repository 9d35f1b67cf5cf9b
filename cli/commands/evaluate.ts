import { stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type EvaluatedSide,
  type Evaluation,
  evaluationHtml,
  evaluationSvg,
  manifestName,
  supportModel,
} from '../../src/advanced.js';
import {
  type Bundle,
  compareMarginals,
  type Domain,
  domainFromSchema,
  InputError,
  type Model,
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
  readonly bundle: Bundle | undefined;
}

export default command({
  name: 'evaluate',
  usage: ['FIRST SECOND [-o FILE] [options]'],
  about: `Compares two tables that are both public or synthetic, each a table (CSV, TSV, JSON lines, Parquet) or the directory of
a release, whose model is compared then: how far apart all marginals of one, two and three attributes are, and in which cells.
The numbers are exact, so neither table may be private: a table that has a ledger, or that the release came from, is
refused.`,
  examples: [
    'surmise evaluate survey-2018.csv released',
    'surmise evaluate survey-2018.csv released/synthetic.csv -o comparison.html',
  ],
  run: async (args, io) => {
    const { values, operands } = args;
    const { out } = values;
    const form = out === undefined ? undefined : plotForm(out);
    const bases = operands.map((name) => path.basename(path.resolve(name)));
    const sides: Given[] = [];
    for (const [i, name] of operands.entries())
      sides.push({ name, shown: bases[0] === bases[1] ? name : bases[i], bundle: await bundleAt(name) });
    for (const side of sides) await checkPublic(side, values['unsafe-non-private']);
    const evaluation = await writeText(
      out,
      () => evaluate(args, sides, io),
      form === 'html' ? evaluationHtml : evaluationSvg,
      { overwrite: values.force, signal: io.running.signal },
    );
    io.out(values.json ? evaluationJson(evaluation) : evaluationText(evaluation, io));
    if (out !== undefined && !values.json) io.out(`\nWrote ${out}.\n`);
  },
});

const checkPublic = async ({ name, bundle }: Given, unsafe: boolean): Promise<void> => {
  if (bundle !== undefined) return;
  const { looksPrivate } = await import('../../adapters/index.js');
  const sign = await looksPrivate(name);
  if (sign !== undefined && !unsafe)
    throw new InputError(
      `${name}: must be public or synthetic, got a table that ${sign}; what is exact about it must not be published (--unsafe-non-private compares all the same, for your eyes only)`,
    );
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
  const [{ model: a, ...one }, { model: b, ...two }] = [
    await sideOf(sides[0], domain, reading),
    await sideOf(sides[1], domain, reading),
  ];
  if (JSON.stringify(a.domain) !== JSON.stringify(b.domain))
    throw new InputError(
      `${sides[1].name}: must have the attributes and cells of ${sides[0].name}, got others; compare tables by one --schema`,
    );
  const { 'max-cells': maxCells, marginals: most, worst, seed } = values;
  const ways = compareMarginals(a, b, { ...running, maxCells, most, worst, random: seeded(seed) });
  return { first: one, second: two, domain, ways, warning: unsafe ? warning : undefined };
};

type Reading = Io['running'] & { readonly unsafeNonPrivate: boolean };

const sideOf = async (
  { name, shown, bundle }: Given,
  domain: Domain,
  reading: Reading,
): Promise<EvaluatedSide & { readonly model: Model }> => {
  if (bundle !== undefined) return { name: shown, kind: 'release', rows: bundle.model.total, model: bundle.model };
  const { readTable } = await import('../../adapters/index.js');
  const table = await readTable(name, domain, reading);
  if (table.length === 0) throw new InputError(`${name}: must have at least one row, got none`);
  return { name: shown, kind: 'table', rows: table.length, model: supportModel(supportOf(table), table.length) };
};

/** The release in a directory; undefined for a file. */
const bundleAt = async (name: string): Promise<Bundle | undefined> => {
  const found = await stat(name).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  const { bundleDirectory, readBundle } = await import('../../adapters/index.js');
  const store = await bundleDirectory(name);
  if ((await store.read(manifestName)) === undefined)
    throw new InputError(
      `${name}: must be a table or the directory of a release, got a directory without ${manifestName}`,
    );
  return readBundle(name);
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
