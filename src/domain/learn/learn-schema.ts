import type { Columns } from '../encode/encode-table.js';
import { InputError } from '../input-error.js';
import { parseSchema } from '../schema/parse-schema.js';
import type { Origin, Schema } from '../schema/schema.js';
import { columnSummarizer } from './column-summary.js';
import { learnAttribute } from './learn-attribute.js';
import type { LearnLimits } from './summary.js';

/** How to learn a schema, and from what. */
export interface LearnOptions extends Partial<LearnLimits> {
  /** Name of the public file, for the schema's `origin`. */
  readonly file: string;
  /** Size and SHA-256 of that file: a release of a file takes no learned schema without it. */
  readonly digest?: NonNullable<Extract<Origin, { kind: 'public-table' }>['digest']> | undefined;
  /** Columns to leave out, such as ids. */
  readonly exclude?: readonly string[] | undefined;
}

/** A schema learned from a public table, with what is worth a look. */
export interface LearnedSchema {
  readonly schema: Schema;
  /** What a reader should know of some columns: left out, cut, constant. */
  readonly notes: readonly { readonly column: string; readonly note: string }[];
}

/** Learns a schema from a *public* table that arrives in parts. Memory is bounded for each column. */
export interface SchemaLearner {
  /** Adds rows. Every part has the same columns; their order in the first part is the schema's. */
  add(columns: Columns): void;
  finish(): LearnedSchema;
}

/** The address that published schema files name, so that editors complete them. */
const SCHEMA_ADDRESS = './node_modules/surmise/schema/surmise-schema.json';

/**
 * Learns types, categories, bins and nulls from a *public* table. Never give it private rows: what it reads ends up in the
 * schema as it is. Categories get an `other` cell, because private rows will hold other values; numbers clamp.
 */
export const schemaLearner = (options: LearnOptions): SchemaLearner => {
  const limits: LearnLimits = { maxCategories: options.maxCategories ?? 256, bins: options.bins ?? 32 };
  for (const key of ['maxCategories', 'bins'] as const) {
    const least = key === 'bins' ? 2 : 1;
    if (!Number.isSafeInteger(limits[key]) || limits[key] < least || limits[key] > 65536) {
      throw new InputError(`${key}: must be a whole number from ${least} to 65536, got ${limits[key]}`);
    }
  }
  const excluded = new Set(options.exclude ?? []);
  const columns = new Map<string, ReturnType<typeof columnSummarizer>>();
  let rows = 0;
  return {
    add(part) {
      const names = Object.keys(part);
      if (columns.size === 0) for (const name of names) columns.set(name, columnSummarizer());
      for (const name of names) columns.get(name)?.add(part[name]);
      rows += names.length === 0 ? 0 : part[names[0]].length;
    },
    finish() {
      const notes: { column: string; note: string }[] = [];
      const attributes = [...columns].flatMap(([name, column]) => {
        if (excluded.has(name)) return [];
        const { spec, note } =
          name === '' ? { note: 'left out: it has no name' } : learnAttribute(name, column.summary(), limits);
        if (note !== undefined) notes.push({ column: name, note });
        return spec === undefined ? [] : [spec];
      });
      if (attributes.length === 0) {
        throw new InputError(
          'public table: no column could be made an attribute; give a table with rows, or write the schema by hand',
        );
      }
      const { file, digest } = options;
      const table = { kind: 'public-table', file, rows } as const;
      const origin: Origin = digest === undefined ? table : { ...table, digest };
      return { schema: parseSchema({ $schema: SCHEMA_ADDRESS, surmise: 1, origin, attributes }), notes };
    },
  };
};

/**
 * `schemaLearner` on a whole table.
 *
 * @example
 * ```ts
 * const { schema, notes } = learnSchema(columns2018, { file: 'survey-2018.csv' });
 * ```
 */
export const learnSchema = (columns: Columns, options: LearnOptions): LearnedSchema => {
  const learner = schemaLearner(options);
  learner.add(columns);
  return learner.finish();
};
