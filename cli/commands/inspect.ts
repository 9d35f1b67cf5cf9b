import { cellLabels, type Tally, tallyColumn } from '../../src/advanced.js';
import { domainFromSchema, InputError } from '../../src/index.js';
import { command } from '../command.js';
import { count } from '../terminal/print.js';
import { tallyText } from '../text/tally-text.js';

export default command({
  name: 'inspect',
  usage: ['TABLE --schema FILE [options]'],
  about: `Reads a *public* table against a schema and shows how its values fall on the declared cells: counts with small plots, and
how many were null, fell to "other", were clamped to the first or last bin, or have no cell at all (then the exit code
is 2). The counts are exact, so it is for public tables only: what it prints about a private one would not be private. A
table that has a ledger is private and is refused.`,
  examples: ['surmise inspect census-2018.csv --schema schema.json'],
  run: async ({ values, operands: [file] }, io) => {
    const { assertPublic, readColumns, readSchema } = await import('../../adapters/index.js');
    const { attributes } = domainFromSchema(await readSchema(values.schema));
    await assertPublic(file);
    const tallies = attributes.map(tallyColumn);
    const columns = attributes.map(({ name }) => name);
    let rows = 0;
    for await (const part of readColumns(file, { ...io.running, columns })) {
      attributes.forEach(({ name }, i) => {
        tallies[i].add(part[name]);
      });
      rows += part[columns[0]].length;
    }
    const results = tallies.map((tally) => tally.result());
    if (values.json) io.out(`${JSON.stringify({ table: file, rows, attributes: results.map(plain) }, null, 2)}\n`);
    else {
      io.out(`${file}: ${count(rows)} rows, read as public data (these counts are exact)\n\n`);
      io.out(tallyText(results, rows, io));
    }
    const bad = results.filter(({ problem }) => problem);
    if (bad.length === 0) return;
    const first = bad.reduce((a, b) => (b.problem!.row < a.problem!.row ? b : a));
    const more = bad.reduce((sum, { outside }) => sum + outside, 0) - 1;
    const others = more > 0 ? ` (and ${count(more)} more such values)` : '';
    const where = `column ${JSON.stringify(first.attribute.name)}, row ${first.problem!.row}`;
    throw new InputError(`${file}: ${where}: ${first.problem!.text}${others}`);
  },
});

const plain = (tally: Tally) => {
  const { attribute, counts, null: nulls, other, clamped, outside } = tally;
  const cells = cellLabels(attribute).map((label, i) => ({ label, count: counts[i] }));
  return { name: attribute.name, type: attribute.spec.type, null: nulls, other, clamped, outside, cells };
};
