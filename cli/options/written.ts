import * as v from 'valibot';
import { encodings, parseDraft } from '../../src/advanced.js';
import { type Draft, InputError, parseSchema, type Schema, type TableFormat } from '../../src/index.js';
import type { Kind } from './kinds.js';
import { words } from './kinds.js';

const named: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
  point: '.',
  space: ' ',
  apostrophe: "'",
};

/** A sign, itself or by its name, which no shell takes for something else. */
const sign = (names: readonly string[], any = false): Kind<string> => ({
  value: 'SIGN',
  parse: (word, option) => {
    const found = names.includes(word) ? named[word] : word;
    if (any ? [...found].length !== 1 : !names.some((name) => named[name] === found))
      throw new InputError(
        `option --${option}: must be ${names.join(', ')}${any ? ' or one character' : ''}, got ${JSON.stringify(word)}`,
      );
    return found;
  },
  json: v.string(),
  complete: { kind: 'words', words: names },
});

export const delimiterKind = sign(['comma', 'semicolon', 'tab', 'pipe'], true);
export const decimalKind = sign(['point', 'comma']);
export const thousandsKind = sign(['comma', 'point', 'space', 'apostrophe']);
export const encodingKind = words('NAME', encodings);

/** The options that say how a private table is written. */
export interface WrittenOptions {
  readonly delimiter?: string | undefined;
  readonly decimal?: string | undefined;
  readonly thousands?: string | undefined;
  readonly encoding?: TableFormat['encoding'] | undefined;
  readonly 'date-format'?: string | undefined;
}

/** What is said of how the table is written; undefined where nothing is. */
export const writtenFrom = (values: WrittenOptions): TableFormat | undefined => {
  const { delimiter, decimal, thousands, encoding } = values;
  const told = Object.entries({ delimiter, decimal, thousands, encoding, date: values['date-format'] }).filter(
    ([, part]) => part !== undefined,
  );
  return told.length === 0 ? undefined : (Object.fromEntries(told) as TableFormat);
};

/** A draft whose table is written as the options say, before what it says itself. */
export const draftWritten = (draft: Draft, values: WrittenOptions): Draft => {
  const table = writtenFrom(values);
  return table === undefined ? draft : parseDraft({ ...draft, table: { ...draft.table, ...table } });
};

/** The same of a schema. */
export const schemaWritten = (schema: Schema, values: WrittenOptions): Schema => {
  const table = writtenFrom(values);
  return table === undefined ? schema : parseSchema({ ...schema, table: { ...schema.table, ...table } });
};
