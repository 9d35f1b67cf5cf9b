import path from 'node:path';
import { assertDistinct, assertPublic, looksPrivate } from '../../adapters/private/looks-private.js';
import { tableFile } from '../../adapters/table/table-file.js';
import { InputError } from '../../src/domain/input-error.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import type { Mechanism } from '../../src/release/mechanism.js';
import { mechanismNamed, mechanisms } from '../../src/release/registry.js';
import { command } from '../command.js';
import { budgetRequest, relationFrom } from '../options/release-options.js';
import { wholeNumber } from '../options/whole-number.js';
import type { Comparison } from '../text/compare-text.js';
import { plotForm } from '../text/plot-file.js';
import { writeText } from '../text/write-text.js';

export default command({
  name: 'compare',
  summary: 'run mechanisms side by side on a public table that stands in for the private one',
  help: `usage: surmise compare STAND_IN [--public FILE] [--epsilon LIST] [-o FILE] [options]

Helps to choose a mechanism and an epsilon without spending anything: a *public* table, such as an earlier year, plays the
private one, and every mechanism makes releases of it at every epsilon. Because the stand-in is public, the errors can be
shown: over all pairs of attributes, beside two lines that every release should be measured by, "publish the public table
as it is" and "another sample of the same size". No ledger is touched. A table that has a ledger is private and is refused.

      --public FILE       a public table, for the mechanisms that use one
      --epsilon LIST      epsilons with commas between them (0.1,0.3,1,3)
      --mechanisms LIST   names with commas between them, or all (all)
      --runs N            runs of each, with fresh noise (3)
      --delta D           1e-9 unless told
      --pure              no delta: pure epsilon, Laplace noise
      --relation R        add-remove (the default) or replace-one
      --schema FILE       the schema; without it one is learned from --public, else from the stand-in
      --exclude COLUMN    leave a column out of the learned schema; may be given several times
      --seed N            for the noise, which protects nobody here: the same runs again (1)
  -o, --out FILE          write a page (.html) or a picture (.svg) as well
      --force             replace FILE if it exists
      --json              print JSON
      --verbose           say where an unexpected error came from
  -h, --help              this text

example: surmise compare survey-2019.csv --public survey-2018.csv --epsilon 0.1,1 -o comparison.html`,
  options: {
    public: { type: 'string' },
    epsilon: { type: 'string' },
    mechanisms: { type: 'string' },
    runs: { type: 'string' },
    delta: { type: 'string' },
    pure: { type: 'boolean' },
    relation: { type: 'string' },
    schema: { type: 'string' },
    exclude: { type: 'string', multiple: true },
    seed: { type: 'string' },
    out: { type: 'string', short: 'o' },
    force: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  operands: ['STAND_IN'],
  run: async ({ values, positionals: [file] }, io) => {
    const { out } = values;
    const form = out === undefined ? undefined : plotForm(out);
    const runs = wholeNumber('runs', values.runs, { min: 1, max: 1000, otherwise: 3 });
    const seed = wholeNumber('seed', values.seed, { min: 0, max: 1e6, otherwise: 1 });
    const chosen = mechanismsFrom(values.mechanisms);
    const budgets = (values.epsilon ?? '0.1,0.3,1,3').split(',').map((epsilon): BudgetRequest => {
      const budget = budgetRequest({ ...values, epsilon: epsilon.trim() });
      budgetOf(budget);
      return budget;
    });
    const relation = relationFrom(values);
    await tableFile(file);
    const sign = await looksPrivate(file);
    if (sign !== undefined)
      throw new InputError(`${file}: must be public to stand in for the private table, got a table that ${sign}`);
    if (values.public !== undefined) {
      await assertPublic(values.public);
      await assertDistinct(values.public, file);
    }
    const running = { onProgress: io.progress, signal: io.signal };

    const compare = async (): Promise<Comparison> => {
      const [{ releaseSchema }, { compareTables }, { nodeWorkers }, { readTable }] = await Promise.all([
        import('../options/release-schema.js'),
        import('../../src/flow/compare-tables.js'),
        import('../../adapters/node-workers.js'),
        import('../../adapters/table/read-table.js'),
      ]);
      const { schema, exclude } = values;
      const learned = await releaseSchema({ ...running, schema, exclude, public: values.public ?? file });
      const domain = domainFromSchema(learned.schema);
      const standIn = await readTable(file, domain, running);
      if (standIn.length === 0) throw new InputError(`${file}: must have at least one row, got none`);
      const publicTable = values.public === undefined ? undefined : await readTable(values.public, domain, running);
      const outcome = await compareTables({
        ...running,
        threads: { workers: nodeWorkers },
        standIn,
        publicTable,
        mechanisms: chosen,
        budgets,
        runs,
        relation,
        seed,
      });
      const [{ delta }] = budgets;
      return {
        ...outcome,
        standIn: path.basename(file),
        rows: standIn.length,
        runs,
        ...(values.public === undefined ? {} : { public: path.basename(values.public) }),
        ...(delta === undefined ? {} : { delta: String(delta) }),
      };
    };
    let comparison: Comparison | undefined;
    if (out === undefined) comparison = await compare();
    else
      await writeText(
        out,
        async () => {
          comparison = await compare();
          const [{ comparisonHtml, comparisonSvg }, { drawer }] = await Promise.all([
            import('../text/compare-text.js'),
            import('../../src/report/plots/draw.js'),
          ]);
          return (form === 'html' ? comparisonHtml : comparisonSvg)(comparison, await drawer());
        },
        { overwrite: values.force ?? false, signal: io.signal },
      );
    if (comparison === undefined) return;
    const { comparisonJson, comparisonText } = await import('../text/compare-text.js');
    io.out(values.json ? comparisonJson(comparison) : comparisonText(comparison, io));
    if (out !== undefined && !values.json) io.out(`\nWrote ${out}.\n`);
  },
});

const mechanismsFrom = (list = 'all'): readonly Mechanism[] => {
  if (list === 'all') return mechanisms;
  const names = list.split(',').map((name) => name.trim());
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`option --mechanisms: names must differ, got ${twice} twice`);
  return names.map(mechanismNamed);
};
