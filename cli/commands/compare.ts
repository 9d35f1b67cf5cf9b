import path from 'node:path';
import { type Comparison, comparisonHtml, comparisonSvg } from '../../src/advanced.js';
import { type BudgetRequest, compareTables, domainFromSchema, InputError } from '../../src/index.js';
import { type Args, command, type Io } from '../command.js';
import { plotForm } from '../files/plot-file.js';
import { writeText } from '../files/write-text.js';
import { budgetRequest } from '../options/combined.js';
import { settingsForAll } from '../options/mechanism-kinds.js';
import { releaseSchema } from '../options/release-schema.js';
import { workloadFor } from '../options/workload.js';
import { comparisonJson, comparisonText } from '../text/compare-text.js';

export default command({
  name: 'compare',
  usage: ['STAND_IN [--public FILE] [--epsilon LIST] [-o FILE] [options]'],
  about: `Helps to choose a mechanism and an epsilon without spending anything: a *public* table, such as an earlier year, plays the
private one, and every mechanism makes releases of it at every epsilon. Because the stand-in is public, the errors can be
shown: over all pairs of attributes, beside two lines that every release should be measured by, "publish the public table
as it is" and "another sample of the same size". No ledger is touched. A table that has a ledger is private and is refused.`,
  examples: ['surmise compare survey-2019.csv --public survey-2018.csv --epsilon 0.1,1 -o comparison.html'],
  run: async (args, io) => {
    const { values, operands } = args;
    const [file] = operands;
    const { out } = values;
    const form = out === undefined ? undefined : plotForm(out);
    if (values.title !== undefined && form !== 'html')
      throw new InputError('option --title: is for a page (-o FILE.html), got none; name one, or leave it out');
    const budgets = values.epsilon.map((epsilon) => budgetRequest({ ...values, epsilon }));
    const { assertDistinct, assertPublic, looksPrivate } = await import('../../adapters/index.js');
    const sign = await looksPrivate(file);
    if (sign !== undefined)
      throw new InputError(`${file}: must be public to stand in for the private table, got a table that ${sign}`);
    if (values.public !== undefined) {
      await assertPublic(values.public);
      await assertDistinct(values.public, file);
    }
    const comparison = await writeText(
      out,
      () => compare(args, budgets, io),
      form === 'html' ? (made) => comparisonHtml(made, values.title) : comparisonSvg,
      { overwrite: values.force, signal: io.running.signal },
    );
    io.out(values.json ? comparisonJson(comparison) : comparisonText(comparison, io));
    if (out !== undefined && !values.json) io.out(`\nWrote ${out}.\n`);
  },
});

const compare = async (
  { values, operands: [file] }: Args<'compare'>,
  budgets: readonly BudgetRequest[],
  { running }: Io,
): Promise<Comparison> => {
  const { nodeWorkers, readTable } = await import('../../adapters/index.js');
  const { schema, exclude, mechanisms, runs, relation, seed } = values;
  const learned = await releaseSchema({ ...running, schema, exclude, public: values.public ?? file });
  if (learned.schema.twoLevel !== undefined)
    throw new InputError(
      'schema: must describe one table to compare mechanisms on, got twoLevel; take it out to compare those for rows',
    );
  const domain = domainFromSchema(learned.schema);
  const standIn = await readTable(file, domain, running);
  if (standIn.length === 0) throw new InputError(`${file}: must have at least one row, got none`);
  const publicTable = values.public === undefined ? undefined : await readTable(values.public, domain, running);
  const outcome = await compareTables({
    ...running,
    threads: { workers: nodeWorkers },
    standIn,
    publicTable,
    workload: await workloadFor(values.workload, learned.schema),
    mechanisms,
    settings: settingsForAll(values.set, mechanisms),
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
    public: values.public === undefined ? undefined : path.basename(values.public),
    delta: delta === undefined ? undefined : String(delta),
  };
};
