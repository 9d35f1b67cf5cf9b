import { readFrom } from './read-from.js';
import { readOrder } from './read-order.js';
import { readUnion } from './read-union.js';
import type { Reader } from './reader.js';
import { form } from './syntax-error.js';
import type { SelectTree, Tree } from './tree.js';
import { isName, otherStatements } from './words.js';

/** One statement of a text. */
export const readStatement = (reader: Reader): SelectTree => {
  const token = reader.peek();
  if (token?.key !== undefined && otherStatements.has(token.key))
    throw reader.refuse(token.at, 'must be a SELECT, got another statement', form);
  if (!reader.is('(')) return readSelect(reader);
  // A SELECT in parentheses is a statement only with UNION behind it.
  const first = reader.position();
  const left = reader.inParentheses(() => reader.query());
  return readUnion(reader, { ...left, first });
};

/** A SELECT with all its clauses, and others that UNION adds. */
export const readSelect = (reader: Reader): SelectTree => {
  const token = reader.peek();
  if (token?.key === 'WITH') throw reader.refuse(token.at, 'must have no WITH', form);
  const select = readClauses(reader);
  return reader.is('UNION') ? readUnion(reader, select) : select;
};

const readClauses = (reader: Reader): SelectTree => {
  reader.checkSelect();
  const first = reader.expect('SELECT');
  const distinct = readDistinct(reader);
  const columns = beginsClause(reader) ? [] : reader.list(() => readColumn(reader));
  const from = reader.accept('FROM') ? readFrom(reader) : undefined;
  const where = reader.accept('WHERE') ? reader.expression() : undefined;
  const groupBy = readGroups(reader);
  const having = groupBy.length > 0 && reader.accept('HAVING') ? reader.expression() : undefined;
  const orderBy = reader.is('ORDER') ? readOrder(reader) : [];
  const { limit, offset } = readLimits(reader);
  const lock = reader.accept('FOR') ? readLock(reader) : undefined;
  return { first, isUnion: false, distinct, columns, from, where, groupBy, having, orderBy, limit, offset, lock };
};

const clauses = ['FROM', 'WHERE', 'GROUP', 'ORDER', 'LIMIT', 'OFFSET', 'FOR', 'UNION', ')', ';'];
const beginsClause = (reader: Reader): boolean => reader.peek() === undefined || reader.is(...clauses);

const readDistinct = (reader: Reader): number | undefined => {
  if (!reader.is('DISTINCT', 'ALL')) return undefined;
  const token = reader.next();
  if (reader.tokens[token].key === 'DISTINCT' && reader.accept('ON'))
    reader.inParentheses(() => reader.list(() => reader.expression()));
  return token;
};

const readColumn = (reader: Reader): SelectTree['columns'][number] => {
  const of = reader.expression(true);
  const isAliased = reader.accept('AS') || isName(reader.peek());
  return { of, alias: isAliased ? reader.name() : undefined };
};

const readGroups = (reader: Reader): readonly Tree[] => {
  if (!reader.accept('GROUP')) return [];
  reader.expect('BY');
  const groups = reader.list(() => reader.expression());
  return groups.length === 1 && groups[0].kind === 'list' ? groups[0].items : groups;
};

/** LIMIT and OFFSET, in either order and once each. */
const readLimits = (reader: Reader): Pick<SelectTree, 'limit' | 'offset'> => {
  let [limit, offset]: (Tree | undefined)[] = [];
  while (reader.is('LIMIT', 'OFFSET')) {
    const isLimit = reader.is('LIMIT');
    if ((isLimit ? limit : offset) !== undefined) reader.fail();
    reader.next();
    const value = reader.value();
    if (isLimit) limit = value;
    else {
      offset = value;
      reader.accept('ROW', 'ROWS');
    }
  }
  return { limit, offset };
};

/** What follows FOR: the locks of rows. */
const readLock = (reader: Reader): number => {
  const first = reader.position();
  if (reader.accept('NO')) {
    reader.expect('KEY');
    reader.expect('UPDATE');
  } else if (reader.accept('KEY')) reader.expect('SHARE');
  else reader.expect('UPDATE', 'SHARE');
  if (reader.accept('SKIP')) reader.expect('LOCKED');
  else reader.accept('NOWAIT');
  return first;
};
