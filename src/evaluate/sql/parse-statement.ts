import {
  type Expr,
  type From,
  type Statement as PgStatement,
  parse,
  type SelectedColumn,
  type SelectFromStatement,
} from 'pgsql-ast-parser';
import { parseCondition, parseGroupCondition } from './parse-condition.js';
import { asName, asWholeNumber, expressionFrom, placeOf, type Reading } from './parse-expression.js';
import { scriptOf } from './script.js';
import { refuseIn } from './sql-error.js';
import type { Expression, SqlName, Statement } from './statement.js';
import { form, syntaxError } from './syntax-error.js';

/** The name of the one table there is. */
const tableName = 'data';

/**
 * The statements of a text; their places refer to the whole text. Anything that no model could answer is an `InputError`. `names`, those
 * of the attributes, serve hints only.
 */
export const parseStatements = (text: string, names: readonly string[]): Statement[] => {
  const refuse = refuseIn(text);
  const script = scriptOf(text, refuse);
  if (script.tokens.every(({ kind, value }) => kind === 'sign' && value === ';')) return [];
  let statements: readonly PgStatement[];
  try {
    statements = parse(script.plain, { locationTracking: true });
  } catch (error) {
    throw syntaxError(error, script, names, refuse);
  }
  const reading: Reading = { script, refuse, select: (node) => statementFrom(node, reading) };
  return statements.map((node) => statementFrom(node, reading));
};

const statementFrom = (node: PgStatement, reading: Reading): Statement => {
  const { refuse } = reading;
  const at = placeOf(node, reading);
  if (node.type === 'with' || node.type === 'with recursive') throw refuse(at, 'must have no WITH', form);
  if (node.type !== 'select') {
    const got = node.type.startsWith('union') ? 'UNION and the like' : 'another statement';
    throw refuse(at, `must be a SELECT, got ${got}`, form);
  }
  const columns = columnsOf(node, reading);
  checkTable(node, reading);
  const titles = new Map(columns.map(({ title, expression }) => [title.toLowerCase(), expression]));
  const where = node.where ? parseCondition(node.where, reading) : undefined;
  const groupBy = (node.groupBy ?? []).map((item) => groupFrom(item, columns, reading));
  const having = node.having ? parseGroupCondition(node.having, reading, titles) : undefined;
  const orderBy = (node.orderBy ?? []).map(({ by, order, nulls }) => {
    if (nulls)
      throw refuse(placeOf(by, reading), 'ORDER BY must have no NULLS FIRST or LAST', 'empty values count as lowest');
    const expression = columnAt(columns, by, reading)?.expression ?? expressionFrom(by, reading, titles);
    return { expression, descending: order === 'DESC' };
  });
  const limit = node.limit?.limit ? wholeNumber(node.limit.limit, reading) : undefined;
  const offset = node.limit?.offset ? wholeNumber(node.limit.offset, reading) : undefined;
  if (node.for) throw refuse(placeOf(node.for, reading), 'must have no FOR', form);
  return {
    columns,
    groupBy,
    orderBy,
    at,
    ...(where && { where }),
    ...(having && { having }),
    limit,
    offset,
  };
};

const columnsOf = (node: SelectFromStatement, reading: Reading): Statement['columns'] => {
  const { refuse, script } = reading;
  const [first] = script.inner(node);
  if (node.distinct) throw refuse(script.tokens[first + 1].at, 'SELECT must have no DISTINCT or ALL', 'use GROUP BY');
  if (!node.columns?.length)
    throw refuse(
      placeOf(node, reading),
      'SELECT must name what to show, got nothing',
      'write for example SELECT COUNT(*) FROM data',
    );
  return node.columns.map((column) => columnFrom(column, reading));
};

const checkTable = (node: SelectFromStatement, reading: Reading): void => {
  const { refuse, script } = reading;
  if (!node.from?.length) throw refuse(placeOf(node, reading), `must say FROM ${tableName}, got no FROM`, form);
  const [table]: readonly From[] = node.from;
  const { value, at } = script.tokens[script.inner(table)[0]];
  if (node.from.length > 1 || table.type !== 'table' || table.name.schema !== undefined)
    throw refuse(
      at,
      `FROM must name the one table there is, ${tableName}, got something else`,
      'joins and subqueries have no answer in a model of one table',
    );
  if (value.toLowerCase() !== tableName)
    throw refuse(at, `FROM must name the one table there is, got ${JSON.stringify(value)}`, `write FROM ${tableName}`);
};

const columnFrom = ({ expr, alias }: SelectedColumn, reading: Reading): Statement['columns'][number] => {
  const { refuse, script } = reading;
  if (expr.type === 'ref' && expr.name === '*')
    throw refuse(
      placeOf(expr, reading),
      'SELECT must name attributes and aggregates, got *',
      'a model has no single records: ask for COUNT(*), or take the synthetic rows of the release',
    );
  const expression = expressionFrom(expr, reading);
  const [first, last] = script.outer(expr);
  const { kind, value, at } = script.tokens[first];
  if (alias) {
    const next = script.tokens[last + 1];
    const isAs = next.kind === 'word' && next.value.toUpperCase() === 'AS';
    return { title: (isAs ? script.tokens[last + 2] : next).value, expression };
  }
  const whole = first === last && (kind === 'name' || kind === 'word');
  return { title: whole ? value : script.text.slice(at, script.tokens[last].end).replace(/\s+/g, ' '), expression };
};

const groupFrom = (item: Expr, columns: Statement['columns'], reading: Reading): SqlName => {
  const column = columnAt(columns, item, reading);
  if (column === undefined) return asName(item, reading, 'GROUP BY must name attributes');
  const at = placeOf(item, reading);
  if (column.expression.kind === 'attribute') return { name: column.expression.name, at };
  throw reading.refuse(at, 'GROUP BY must name attributes, got the number of a column that is none', form);
};

/** The column that a plain number stands for; undefined for anything but a number. */
const columnAt = (
  columns: Statement['columns'],
  node: Expr,
  reading: Reading,
): { readonly title: string; readonly expression: Expression } | undefined => {
  if (node.type !== 'integer') return undefined;
  const { value } = reading.script.tokens[reading.script.inner(node)[0]];
  const column = columns[Number(value) - 1];
  if (column === undefined)
    throw reading.refuse(
      placeOf(node, reading),
      `a column's number must be from 1 to ${columns.length}, got ${value}`,
      'name the column instead',
    );
  return column;
};

const wholeNumber = (node: Expr, reading: Reading): number => {
  const value = asWholeNumber(node, reading);
  if (value === undefined)
    throw reading.refuse(
      placeOf(node, reading),
      'LIMIT and OFFSET must be whole numbers, got something else',
      'write for example LIMIT 10',
    );
  return value;
};
