import { stat } from 'node:fs/promises';
import path from 'node:path';
import { bundleDirectory, readBundle } from '../../adapters/bundle-directory.js';
import { looksPrivate } from '../../adapters/private/looks-private.js';
import { tableFile } from '../../adapters/table/table-file.js';
import { manifestName } from '../../src/bundle/file-names.js';
import type { Bundle } from '../../src/bundle/open-bundle.js';
import { InputError } from '../../src/domain/input-error.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { compareMarginals } from '../../src/evaluate/compare-marginals.js';
import type { Model } from '../../src/model/model.js';
import { supportOf } from '../../src/model/support/support.js';
import { supportModel } from '../../src/model/support/support-model.js';
import { seeded } from '../../src/random/seeded.js';
import { command } from '../command.js';
import { wholeNumber } from '../options/whole-number.js';
import type { Evaluation, Side } from '../text/evaluate-text.js';
import { plotForm } from '../text/plot-file.js';
import { writeText } from '../text/write-text.js';

/** Stamped on everything that was made with a private table on one side. */
const warning = 'NOT PRIVATE: this compares with a private table exactly, protects nobody, and must not be published.';

export default command({
  name: 'evaluate',
  summary: 'compare two public or synthetic tables: marginals, worst cells, plots',
  help: `usage: surmise evaluate FIRST SECOND [-o FILE] [options]

Compares two tables that are both public or synthetic, each a table (CSV, TSV, JSON lines, Parquet) or the directory of
a release, whose model is compared then: how far apart all marginals of one, two and three attributes are, and in which cells.
The numbers are exact, so neither table may be private: a table that has a ledger, or that the release came from, is
refused.

  -o, --out FILE            write a page (.html) or a picture (.svg) as well
      --schema FILE         read both by this schema; without it by that of a release, else by one learned from FIRST
      --exclude COLUMN      leave a column out of the learned schema; may be given several times
      --max-cells N         leave out marginals with more cells (100000)
      --marginals N         of more marginals of one kind, draw N (1000)
      --worst N             list N cells of each kind (5)
      --seed N              for drawing marginals (1)
      --force               replace FILE if it exists
      --unsafe-non-private  FOR THE LABORATORY: compare with a private table all the same. The output says in every form that
                            it is not private; do not publish it
      --json                print JSON
      --verbose             say where an unexpected error came from
  -h, --help                this text

example:
  surmise evaluate survey-2018.csv released
  surmise evaluate survey-2018.csv released/synthetic.csv -o comparison.html`,
  options: {
    out: { type: 'string', short: 'o' },
    schema: { type: 'string' },
    exclude: { type: 'string', multiple: true },
    'max-cells': { type: 'string' },
    marginals: { type: 'string' },
    worst: { type: 'string' },
    seed: { type: 'string' },
    force: { type: 'boolean' },
    'unsafe-non-private': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  operands: ['FIRST', 'SECOND'],
  run: async ({ values, positionals: [first, second] }, io) => {
    const { out } = values;
    const form = out === undefined ? undefined : plotForm(out);
    const maxCells = wholeNumber('max-cells', values['max-cells'], { min: 1, max: 1e8, otherwise: 100_000 });
    const most = wholeNumber('marginals', values.marginals, { min: 1, max: 1e6, otherwise: 1000 });
    const worst = wholeNumber('worst', values.worst, { min: 0, max: 1000, otherwise: 5 });
    const seed = wholeNumber('seed', values.seed, { min: 0, max: 2 ** 52 - 1, otherwise: 1 });
    const unsafe = values['unsafe-non-private'] === true;
    const running = { onProgress: io.progress, signal: io.signal };

    const bundles = [await bundleAt(first), await bundleAt(second)];
    const names = [first, second];
    // What is written may be passed on, and where files are is nobody's business.
    const bases = names.map((name) => path.basename(path.resolve(name)));
    const shown = bases[0] === bases[1] ? names : bases;
    for (const [i, name] of names.entries()) {
      if (bundles[i] !== undefined) continue;
      await tableFile(name);
      const sign = await looksPrivate(name);
      if (sign !== undefined && !unsafe)
        throw new InputError(
          `${name}: must be public or synthetic, got a table that ${sign}; what is exact about it must not be published (--unsafe-non-private compares all the same, for your eyes only)`,
        );
    }

    const evaluate = async (): Promise<Evaluation> => {
      const schema = await schemaFor(names, bundles, values, { ...running, unsafeNonPrivate: unsafe });
      const domain = domainFromSchema(schema);
      const { readTable } = await import('../../adapters/table/read-table.js');
      const sides: (Side & { readonly model: Model })[] = [];
      for (const [i, name] of names.entries()) {
        const bundle = bundles[i];
        if (bundle !== undefined) {
          sides.push({ name: shown[i], kind: 'release', rows: bundle.model.total, model: bundle.model });
          continue;
        }
        const table = await readTable(name, domain, { ...running, unsafeNonPrivate: unsafe });
        if (table.length === 0) throw new InputError(`${name}: must have at least one row, got none`);
        sides.push({
          name: shown[i],
          kind: 'table',
          rows: table.length,
          model: supportModel(supportOf(table), table.length),
        });
      }
      const [{ model: a, ...one }, { model: b, ...two }] = sides;
      if (JSON.stringify(a.domain) !== JSON.stringify(b.domain))
        throw new InputError(
          `${second}: must have the attributes and cells of ${first}, got others; compare tables by one --schema`,
        );
      const ways = compareMarginals(a, b, { ...running, maxCells, most, worst, random: seeded(seed) });
      return { first: one, second: two, domain, ways, ...(unsafe ? { warning } : {}) };
    };
    let evaluation: Evaluation | undefined;
    if (out === undefined) evaluation = await evaluate();
    else
      await writeText(
        out,
        async () => {
          evaluation = await evaluate();
          const [{ evaluationHtml, evaluationSvg }, { drawer }] = await Promise.all([
            import('../text/evaluate-text.js'),
            import('../../src/report/plots/draw.js'),
          ]);
          return (form === 'html' ? evaluationHtml : evaluationSvg)(evaluation, await drawer());
        },
        { overwrite: values.force ?? false, signal: io.signal },
      );
    if (evaluation === undefined) return;
    const { evaluationJson, evaluationText } = await import('../text/evaluate-text.js');
    io.out(values.json ? evaluationJson(evaluation) : evaluationText(evaluation, io));
    if (out !== undefined && !values.json) io.out(`\nWrote ${out}.\n`);
  },
});

/** The release in a directory; undefined for a file. */
const bundleAt = async (name: string): Promise<Bundle | undefined> => {
  const found = await stat(name).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  const store = await bundleDirectory(name);
  if ((await store.read(manifestName)) === undefined)
    throw new InputError(
      `${name}: must be a table or the directory of a release, got a directory without ${manifestName}`,
    );
  return readBundle(name);
};

const schemaFor = async (
  [first]: readonly string[],
  bundles: readonly (Bundle | undefined)[],
  { schema, exclude }: { readonly schema?: string | undefined; readonly exclude?: readonly string[] | undefined },
  running: { readonly signal: AbortSignal; readonly unsafeNonPrivate: boolean },
): Promise<Schema> => {
  const released = bundles.find((bundle) => bundle !== undefined);
  if (released === undefined) {
    const { releaseSchema } = await import('../options/release-schema.js');
    return (await releaseSchema({ ...running, public: first, schema, exclude })).schema;
  }
  for (const [option, value] of Object.entries({ schema, exclude }))
    if (value !== undefined)
      throw new InputError(
        `option --${option}: is for two tables, got a release, which has its own schema; leave it out`,
      );
  return released.manifest.schema;
};
