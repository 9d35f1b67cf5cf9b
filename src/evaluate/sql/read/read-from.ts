import type { Reader } from './reader.js';
import type { SelectTree } from './tree.js';
import { isName } from './words.js';

type From = NonNullable<SelectTree['from']>;

/** The tables of a SELECT, with their joins. */
export const readFrom = (reader: Reader): From => {
  const [table, ...others] = reader.list(() => readTables(reader));
  return others.length === 0 ? table : { ...table, isPlain: false };
};

const joins = ['INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL', 'JOIN'];

/** One table, and what is joined to it. */
const readTables = (reader: Reader, mustJoin = false): From => {
  const isNested = reader.is('(');
  let table = readTable(reader);
  if (mustJoin && !isNested && !reader.is(...joins)) reader.fail();
  while (reader.is(...joins)) {
    if (reader.accept('LEFT', 'RIGHT', 'FULL')) reader.accept('OUTER');
    else reader.accept('INNER', 'CROSS');
    reader.expect('JOIN');
    readTable(reader);
    if (reader.accept('ON')) reader.expression();
    else if (reader.accept('USING')) reader.inParentheses(() => reader.list(() => reader.name()));
    table = { ...table, isPlain: false };
  }
  return table;
};

const readTable = (reader: Reader): From => {
  const isLateral = reader.accept('LATERAL');
  if (reader.is('(')) return readInParentheses(reader);
  const first = reader.name();
  let isPlain = !isLateral;
  while (reader.accept('.')) {
    if (reader.peek()?.kind !== 'word') reader.name();
    else reader.next();
    isPlain = false;
  }
  if (reader.is('(')) {
    reader.inParentheses(() => (reader.is(')') ? [] : reader.list(() => reader.expression())));
    isPlain = false;
  }
  readAlias(reader);
  return { first, isPlain };
};

/** A SELECT, which must have a name, or joined tables. */
const readInParentheses = (reader: Reader): From => {
  const [first, isSelect] = reader.inParentheses((): [number, boolean] => {
    if (reader.is('SELECT', 'WITH')) return [reader.query().first, true];
    return [readTables(reader, true).first, false];
  });
  if (isSelect && !readAlias(reader)) reader.fail();
  return { first, isPlain: false };
};

/** Another name for a table, and for its columns. */
const readAlias = (reader: Reader): boolean => {
  if (!reader.accept('AS') && !isName(reader.peek())) return false;
  reader.name();
  if (reader.is('(')) reader.inParentheses(() => reader.list(() => reader.name()));
  return true;
};
