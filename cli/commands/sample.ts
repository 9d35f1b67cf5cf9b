import { randomSeed } from '../../src/advanced.js';
import { InputError, sampleRows, seeded } from '../../src/index.js';
import { command } from '../command.js';
import { count } from '../terminal/print.js';

export default command({
  name: 'sample',
  usage: [
    'RELEASE -o FILE [--where CONDITION] [--rows N] [options]',
    'RELEASE -o FILE --given TABLE [--where CONDITION] [options]',
  ],
  about: `Draws rows from the model of a release that meet a condition, or that fill the rest of a table which has some of its
columns. Nothing private is read and nothing is spent. Graphical models and models on public rows are conditioned exactly:
however rare what is asked for is, no rows are thrown away. Models of other kinds are drawn from until there are enough, and
refuse what one record in 10,000 or fewer meets. Conditions are those of surmise query; columns of numbers or dates may also
be compared with each other.`,
  examples: [
    `surmise sample released --where "region = 'Calder Bay' AND age < 30" --rows 1000 -o bay.csv`,
    'surmise sample released --given some-columns.csv -o filled.parquet',
  ],
  run: async ({ values, operands: [release] }, io) => {
    const { out, where, rows, seed = randomSeed() } = values;
    const { assertPublic, readAnswerable, readColumns, writeTable } = await import('../../adapters/index.js');
    const { model } = await readAnswerable(release);
    const given = values.given === undefined ? undefined : await readGiven(values.given, { assertPublic, readColumns });
    if (where === undefined && given === undefined)
      throw new InputError(
        'sample: needs --where or --given, got neither; for rows of any kind use surmise refit RELEASE --rows N',
      );
    const random = seeded(seed);
    const sampled = await sampleRows(model, { ...io.running, where, rows, given, random });
    const { table, pinned, expected } = sampled;
    await writeTable(out, table.domain, table, { ...io.running, random, pinned, spreadsheet: values.spreadsheet });
    if (values.json) io.out(`${JSON.stringify({ file: out, rows: table.length, seed, expected }, null, 2)}\n`);
    else
      io.out(
        `${out}: ${count(table.length)} rows, seed ${seed}${expected === undefined ? '' : `; the model expects ${count(Math.round(expected))} such records`}\n`,
      );
  },
});

type Reading = Pick<typeof import('../../adapters/index.js'), 'assertPublic' | 'readColumns'>;

/** The given table: what is made of it holds its values, so a private one has no place here. */
const readGiven = async (file: string, { assertPublic, readColumns }: Reading): Promise<Record<string, unknown[]>> => {
  await assertPublic(file);
  const columns: Record<string, unknown[]> = {};
  for await (const part of readColumns(file, {}))
    for (const [name, some] of Object.entries(part)) {
      columns[name] ??= [];
      for (let i = 0; i < some.length; i++) columns[name].push(some[i]);
    }
  return columns;
};
