import { InputError } from '../../src/index.js';
import { command } from '../command.js';
import { declareSchema } from '../discover/declare-schema.js';
import { writeText } from '../files/write-text.js';
import { writtenFrom } from '../options/written.js';
import { bold, count } from '../terminal/print.js';
import { attributeTable } from '../text/attribute-table.js';
import { schemaText } from '../text/schema-text.js';

export default command({
  name: 'schema',
  usage: [
    'PUBLIC [-o FILE] [options]',
    'PRIVATE --declare [--like SCHEMA] [-o FILE]',
    'PERSONS --households FILE --key COLUMN [-o FILE] [options]',
  ],
  about: `Learns a schema (types, categories, bins, nulls) from a *public* table: CSV, TSV, JSON lines (each also .gz),
Parquet or a workbook (.xlsx).
The schema file says that it came from public data, and from which file (its SHA-256). Never use it on private rows: what it
reads ends up in the schema. A table that has a ledger is refused here, and a release refuses a schema that was learned from
the private table itself.

Without a public table: with --declare it reads the header of a private table, and no row, and asks in the terminal what each
column may hold, from what is known of it (a code book, a questionnaire, common sense); without a terminal it writes a skeleton
of guesses from the names, to be filled in.`,
  examples: [
    'surmise schema survey.csv --declare -o schema.json',
    'surmise schema census-2018.csv -o schema.json --exclude person_id',
    'surmise schema persons.csv --households households.csv --key hhID --max-size 5 -o schema.json',
  ],
  run: async (args, io) => {
    const {
      values,
      operands: [file],
    } = args;
    if (values.declare) return declareSchema(args, io);
    if (values.like !== undefined)
      throw new InputError('option --like: is for a schema that is declared, got it without --declare; add --declare');
    const [written] = Object.keys(writtenFrom(values) ?? {});
    if (written !== undefined)
      throw new InputError(
        `option --${written.replace(/^date$/, 'date-format')}: says how a table is written whose schema is declared, got it without --declare; add --declare, or save the public table plainly`,
      );
    const { assertPublic, learnFile, learnHouseholds } = await import('../../adapters/index.js');
    await assertPublic(file);
    const levels = levelsFrom(values);
    if (levels !== undefined) await assertPublic(levels.households);
    const { bins, exclude, 'max-categories': maxCategories, force } = values;
    const { schema, notes } = await writeText(
      values.out,
      () =>
        levels === undefined
          ? learnFile(file, { ...io.running, maxCategories, bins, exclude })
          : learnHouseholds(file, { ...io.running, maxCategories, bins, exclude, ...levels }),
      (learned) => schemaText(learned.schema),
      { overwrite: force, signal: io.running.signal },
    );
    if (values.json) {
      io.out(`${JSON.stringify({ schema, notes }, null, 2)}\n`);
      return;
    }
    const { origin } = schema;
    const rows = origin.kind === 'public-table' ? `${count(origin.rows)} public rows` : 'public rows';
    io.out(`${bold(`${file}: ${rows}`, io)}\n\n${attributeTable({ schema, notes }, io)}\n`);
    io.out(
      values.out === undefined
        ? 'Nothing was written; add -o schema.json to keep it.\n'
        : `Wrote ${values.out}. Check it against the public table: surmise inspect ${file}${levels === undefined ? '' : ` --households ${levels.households}`} --schema ${values.out}\n`,
    );
  },
});

/** Where the households are, and by which column persons are of them; undefined for a plain table. */
const levelsFrom = (values: {
  readonly households: string | undefined;
  readonly key: string | undefined;
  readonly 'max-size': number;
}) => {
  const { households, key, 'max-size': maxSize } = values;
  if ((households === undefined) !== (key === undefined))
    throw new InputError(
      `option --${households === undefined ? 'households' : 'key'}: must be given with --${households === undefined ? 'key' : 'households'}, got none; name the table of households and the column that both share`,
    );
  return households === undefined || key === undefined ? undefined : { households, key, maxSize };
};
