import { assertPublic } from '../../adapters/private/looks-private.js';
import type { LearnedSchema } from '../../src/domain/learn/learn-schema.js';
import { command } from '../command.js';
import { wholeNumber } from '../options/whole-number.js';
import { bold, count } from '../terminal/print.js';
import { attributeTable } from '../text/attribute-table.js';
import { schemaText } from '../text/schema-text.js';
import { writeText } from '../text/write-text.js';

export default command({
  name: 'schema',
  summary: 'learn a schema from a public table',
  help: `usage: surmise schema PUBLIC [-o FILE] [options]

Learns a schema (types, categories, bins, nulls) from a *public* table: CSV, TSV, JSON lines (each also .gz) or Parquet.
The schema file says that it came from public data, and from which file (its SHA-256). Never use it on private rows: what it
reads ends up in the schema. A table that has a ledger is refused here, and a release refuses a schema that was learned from
the private table itself.

Without a public table, write the schema by hand from what is known of the columns (a code book, a questionnaire, common
sense), with "origin": { "kind": "declared" }: docs/domain.md shows one.

  -o, --out FILE          write the schema here, whole or not at all; without it the schema is shown only
      --max-categories N  keep the N most frequent values of a column, the others become "other" (256)
      --bins N            about N bins for numbers with many values (32)
      --exclude COLUMN    leave a column out; may be given several times
      --force             replace FILE if it exists
      --json              print the schema and the notes as JSON
      --verbose           say where an unexpected error came from
  -h, --help              this text

example: surmise schema census-2018.csv -o schema.json --exclude person_id`,
  options: {
    out: { type: 'string', short: 'o' },
    'max-categories': { type: 'string' },
    bins: { type: 'string' },
    exclude: { type: 'string', multiple: true },
    force: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  operands: ['PUBLIC'],
  run: async ({ values, positionals: [file] }, io) => {
    const maxCategories = wholeNumber('max-categories', values['max-categories'], {
      min: 1,
      max: 65536,
      otherwise: 256,
    });
    const bins = wholeNumber('bins', values.bins, { min: 2, max: 65536, otherwise: 32 });
    const { signal } = io;
    await assertPublic(file); // told before the database is loaded, which takes a moment
    const work = async () => {
      const { learn } = await import('../options/learn.js');
      return learn(file, { maxCategories, bins, exclude: values.exclude ?? [], onProgress: io.progress, signal });
    };
    let learned: LearnedSchema | undefined;
    if (values.out === undefined) learned = await work();
    else
      await writeText(
        values.out,
        async () => {
          learned = await work();
          return schemaText(learned.schema);
        },
        { overwrite: values.force ?? false, signal },
      );
    if (learned === undefined) return;
    if (values.json) {
      io.out(`${JSON.stringify({ schema: learned.schema, notes: learned.notes }, null, 2)}\n`);
      return;
    }
    const { origin } = learned.schema;
    const rows = origin.kind === 'public-table' ? `${count(origin.rows)} public rows` : 'public rows';
    io.out(`${bold(`${file}: ${rows}`, io)}\n\n${attributeTable(learned, io)}\n`);
    io.out(
      values.out === undefined
        ? 'Nothing was written; add -o schema.json to keep it.\n'
        : `Wrote ${values.out}. Check it against the public table: surmise inspect ${file} --schema ${values.out}\n`,
    );
  },
});
