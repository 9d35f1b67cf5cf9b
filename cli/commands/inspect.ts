import { brokenRows, cellLabels, levelsOf, type Tally, tallyColumn } from '../../src/advanced.js';
import { type Attribute, domainFromSchema, InputError, type Schema } from '../../src/index.js';
import { command } from '../command.js';
import { count } from '../terminal/print.js';
import { sizesText, tallyText } from '../text/tally-text.js';

export default command({
  name: 'inspect',
  usage: ['TABLE --schema FILE [options]', 'PERSONS --households FILE --schema FILE [options]'],
  about: `Reads a *public* table against a schema and shows how its values fall on the declared cells: counts with small plots, and
how many were null, fell to "other", were clamped to the first or last bin, lie beyond an open end, or have no cell at all
(then the exit code is 2). The counts are exact, so it is for public tables only: what it prints about a private one would not
be private. A table that has a ledger is private and is refused. Where the schema has households, their sizes are shown too.`,
  examples: ['surmise inspect census-2018.csv --schema schema.json'],
  run: async ({ values, operands: [file] }, io) => {
    const { assertPublic, householdSizes, readColumns, readSchema, readTable } = await import(
      '../../adapters/index.js'
    );
    const schema = await readSchema(values.schema);
    const parts = partsOf(schema, file, values.households);
    for (const { file: part } of parts) await assertPublic(part);
    const results: Tally[] = [];
    const rows: number[] = [];
    for (const { file: part, attributes } of parts) {
      const tallies = attributes.map(tallyColumn);
      const columns = attributes.map(({ name }) => name);
      let read = 0;
      for await (const some of readColumns(part, { ...io.running, columns })) {
        attributes.forEach(({ name }, i) => {
          tallies[i].add(some[name]);
        });
        read += some[columns[0]].length;
      }
      results.push(...tallies.map((tally) => tally.result()));
      rows.push(read);
      if (values.json) continue;
      io.out(`${part}: ${count(read)} rows, read as public data (these counts are exact)\n\n`);
      io.out(`${tallyText(results.slice(-attributes.length), read, io)}${parts.length > rows.length ? '\n' : ''}`);
    }
    const usable = results.every(({ problem }) => !problem);
    const { households } = values;
    const sizes =
      schema.twoLevel === undefined || !usable
        ? undefined
        : await householdSizes(file, schema, { ...io.running, households });
    const broken =
      schema.constraints === undefined || schema.twoLevel !== undefined || !usable
        ? undefined
        : brokenRows(await readTable(file, domainFromSchema(schema), io.running));
    if (values.json) {
      const attributes = results.map(plain);
      const table = { table: file, rows: rows[rows.length - 1], attributes, households: sizes, broken };
      io.out(`${JSON.stringify(table, null, 2)}\n`);
    } else if (sizes !== undefined) io.out(sizesText(sizes, io));
    if (broken !== undefined && !values.json) io.out(`\n${brokenText(broken, rows[rows.length - 1])}\n`);
    const bad = results.filter(({ problem }) => problem);
    if (bad.length === 0) return;
    const first = bad.reduce((a, b) => (b.problem!.row < a.problem!.row ? b : a));
    const more = bad.reduce((sum, { outside }) => sum + outside, 0) - 1;
    const others = more > 0 ? ` (and ${count(more)} more such values)` : '';
    const where = `column ${JSON.stringify(first.attribute.name)}, row ${first.problem!.row}`;
    throw new InputError(`${file}: ${where}: ${first.problem!.text}${others}`);
  },
});

const brokenText = (broken: number, rows: number): string =>
  broken === 0
    ? 'Every row keeps the constraints of the schema.'
    : `${count(broken)} of ${count(rows)} rows break a constraint of the schema; a release counts them as the nearest rows that keep all.`;

const plain = (tally: Tally) => {
  const { attribute, counts, null: nulls, other, clamped, beyond, outside } = tally;
  const cells = cellLabels(attribute).map((label, i) => ({ label, count: counts[i] }));
  return { name: attribute.name, type: attribute.spec.type, null: nulls, other, clamped, beyond, outside, cells };
};

/** Which attributes are columns of which file: those of households first, where they have a file of their own. */
const partsOf = (
  schema: Schema,
  file: string,
  households: string | undefined,
): { readonly file: string; readonly attributes: readonly Attribute[] }[] => {
  const domain = domainFromSchema(schema);
  if (households !== undefined && schema.twoLevel === undefined)
    throw new InputError('option --households: is for a schema with twoLevel, got one without; leave it out');
  const { household, person } = levelsOf(domain);
  const named = (names: readonly string[]) => domain.attributes.filter(({ name }) => names.includes(name));
  return households === undefined
    ? [{ file, attributes: named([...household, ...person]) }]
    : [
        { file: households, attributes: named(household) },
        { file, attributes: named(person) },
      ];
};
