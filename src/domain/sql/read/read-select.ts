import { readOrder } from './read-order.js';
import type { Reader } from './reader.js';
import { form } from './syntax-error.js';
import type { SelectTree, Tree } from './tree.js';
import { isName, otherStatements } from './words.js';

/** A SELECT with all its clauses. What no model has an answer to is refused where it stands. */
export const readSelect = (reader: Reader): SelectTree => {
  const token = reader.peek();
  if (token?.key === 'WITH') throw reader.refuse(token.at, 'must have no WITH', form);
  if (token?.key !== undefined && otherStatements.has(token.key))
    throw reader.refuse(token.at, 'must be a SELECT, got another statement', form);
  reader.checkSelect();
  const first = reader.expect('SELECT');
  if (reader.is('DISTINCT', 'ALL'))
    throw reader.refuse(reader.peek()!.at, 'SELECT must have no DISTINCT or ALL', 'use GROUP BY');
  const columns = beginsClause(reader) ? [] : reader.list(() => readColumn(reader));
  const table = reader.accept('FROM') ? readTable(reader) : undefined;
  const join = table === undefined ? undefined : readJoin(reader);
  const where = reader.accept('WHERE') ? reader.expression() : undefined;
  const groupBy = readGroups(reader);
  const having = groupBy.length > 0 && reader.accept('HAVING') ? reader.expression() : undefined;
  const orderBy = reader.is('ORDER') ? readOrder(reader) : [];
  const { limit, offset } = readLimits(reader);
  if (reader.accept('FOR')) throw reader.refuse((reader.peek() ?? reader.fail()).at, 'must have no FOR', form);
  if (reader.is('UNION'))
    throw reader.refuse(reader.tokens[first].at, 'must be a SELECT, got UNION and the like', form);
  return { first, columns, table, join, where, groupBy, having, orderBy, limit, offset };
};

const clauses = ['FROM', 'WHERE', 'GROUP', 'ORDER', 'LIMIT', 'OFFSET', 'FOR', 'UNION', ')', ';'];
const beginsClause = (reader: Reader): boolean => reader.peek() === undefined || reader.is(...clauses);

const readColumn = (reader: Reader): SelectTree['columns'][number] => {
  const of = reader.expression(true);
  const isAliased = reader.accept('AS') || isName(reader.peek());
  return { of, alias: isAliased ? reader.name() : undefined };
};

/** The name of a table, which may have another here. */
const readTable = (reader: Reader): number => {
  const isInner = reader.accept('(');
  const token = isInner ? reader.position() : reader.name();
  if (isInner || reader.is('.', '(')) throw severalTables(reader, token);
  if (reader.accept('AS') || isName(reader.peek())) reader.name();
  if (reader.isTwoLevel && reader.is('JOIN', 'INNER')) return token;
  if (reader.is(',', '(', 'JOIN', 'INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL')) throw severalTables(reader, token);
  return token;
};

/** JOIN with USING or ON: which tables and names can be joined is told later. */
const readJoin = (reader: Reader): SelectTree['join'] => {
  if (!reader.accept('INNER') && !reader.is('JOIN')) return undefined;
  reader.expect('JOIN');
  const table = reader.name();
  if (reader.accept('AS') || isName(reader.peek())) reader.name();
  if (reader.accept('USING')) {
    reader.expect('(');
    const key = reader.name();
    reader.expect(')');
    return { table, on: [key, key] };
  }
  reader.expect('ON');
  const left = lastName(reader);
  reader.expect('=');
  return { table, on: [left, lastName(reader)] };
};

/** A name with whatever stands before its last point. */
const lastName = (reader: Reader): number => {
  let token = reader.name();
  while (reader.accept('.')) token = reader.name();
  return token;
};

const severalTables = (reader: Reader, token: number) =>
  reader.refuse(
    (reader.tokens[token] ?? reader.fail()).at,
    reader.isTwoLevel
      ? 'FROM must name data, persons or households, got something else'
      : 'FROM must name the one table there is, data, got something else',
    reader.isTwoLevel
      ? 'write FROM households, or FROM persons JOIN households USING (key)'
      : 'joins and subqueries have no answer in a model of one table',
  );

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
