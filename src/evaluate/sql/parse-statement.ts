import { type Node, parse } from 'sql-parser-cst';
import { InputError } from '../../domain/input-error.js';
import { nearest } from '../../domain/nearest.js';
import { parseCondition, parseGroupCondition } from './parse-condition.js';
import { asName, expressionFrom, placeOf, type Reading } from './parse-expression.js';
import { type Refuse, refuseIn } from './sql-error.js';
import type { Expression, Statement } from './statement.js';

const words = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP',
  'BY',
  'HAVING',
  'ORDER',
  'LIMIT',
  'AND',
  'OR',
  'NOT',
  'BETWEEN',
  'IN',
];

/** What this page of SQL is, for hints. */
const form = 'write SELECT ... FROM data [WHERE ...] [GROUP BY ...] [HAVING ...] [ORDER BY ...] [LIMIT n]';

/** The name of the one table there is. */
export const tableName = 'data';

/** The parser's complaint with its place and a hint. */
const syntaxError = (text: string, error: Error): InputError => {
  const [, line, column] = /-->.*:(\d+):(\d+)\n/.exec(error.message) ?? [];
  if (line === undefined) return new InputError(`SQL: must be a statement that can be read; ${form}`);
  const [, found] = /Unexpected (.*)\n/.exec(error.message) ?? [];
  const lines = text.split('\n');
  const at = lines.slice(0, Number(line) - 1).reduce((sum, own) => sum + own.length + 1, 0) + Number(column) - 1;
  // A misspelt keyword is read as a name, so the word before the complaint is the suspect as often as the one at it.
  const before = /(\w+)\W*$/.exec(text.slice(0, at))?.[1] ?? '';
  const here = /^\w+/.exec(text.slice(at))?.[0] ?? '';
  const suspects = [here, before].filter((word) => word !== '' && !words.includes(word.toUpperCase()));
  const near = suspects.flatMap((word) => nearest(word.toUpperCase(), words) ?? []);
  const quote = text[at] === "'" || text[at] === '"' ? `a quotation begins here that does not end; ` : '';
  const hint = near.length > 0 ? `did you mean ${near[0]}?` : form;
  return refuseIn(text)(
    at,
    `must be SQL that can be read, got ${found === 'end of input' ? 'its end' : found}`,
    `${quote}${hint}`,
  );
};

/** The statements of a text; their places refer to the whole text. Anything that no model could answer is an `InputError`. */
export const parseStatements = (text: string): Statement[] => {
  let statements: readonly Node[];
  try {
    ({ statements } = parse(text, { dialect: 'sqlite', includeRange: true }));
  } catch (error) {
    throw syntaxError(text, error as Error);
  }
  const reading: Reading = { text, refuse: refuseIn(text), select: (node) => statementFrom(node, reading) };
  return statements.filter(({ type }) => type !== 'empty').map((node) => statementFrom(node, reading));
};

const notSupported: Readonly<Record<string, string>> = {
  with_clause: 'WITH',
  window_clause: 'WINDOW',
  compound_select_stmt: 'UNION and the like',
};

const statementFrom = (node: Node, reading: Reading): Statement => {
  const { refuse } = reading;
  if (node.type !== 'select_stmt')
    throw refuse(placeOf(node), `must be a SELECT, got ${notSupported[node.type] ?? 'another statement'}`, form);
  let columns: Statement['columns'] | undefined;
  const found: { -readonly [K in keyof Statement]?: Statement[K] } = {};
  let from = false;
  for (const clause of node.clauses) {
    switch (clause.type) {
      case 'select_clause':
        if (clause.modifiers.length > 0)
          throw refuse(placeOf(clause.modifiers[0]), 'SELECT must have no DISTINCT or ALL', 'use GROUP BY');
        columns = (clause.columns?.items ?? []).map((item) => columnFrom(item, reading));
        break;
      case 'from_clause':
        checkTable(clause.expr, refuse);
        from = true;
        break;
      case 'where_clause':
        found.where = parseCondition(clause.expr, reading);
        break;
      case 'group_by_clause':
        found.groupBy = clause.columns.items.map((item) => {
          if (item.type !== 'number_literal') return asName(item, reading, 'GROUP BY must name attributes');
          const { expression } = columnAt(columns ?? [], item, refuse);
          if (expression.kind === 'attribute') return { name: expression.name, at: placeOf(item) };
          throw refuse(placeOf(item), 'GROUP BY must name attributes, got the number of a column that is none', form);
        });
        break;
      case 'having_clause':
        found.having = parseGroupCondition(clause.expr, reading, aliases(columns ?? []));
        break;
      case 'order_by_clause':
        found.orderBy = clause.specifications.items.map((item) => {
          const sorted = item.type === 'sort_specification' ? item : { expr: item, direction: undefined };
          const descending = sorted.direction?.type === 'sort_direction_desc';
          const expression =
            sorted.expr.type === 'number_literal'
              ? columnAt(columns ?? [], sorted.expr, refuse).expression
              : expressionFrom(sorted.expr, reading, aliases(columns ?? []));
          return { expression, descending };
        });
        break;
      case 'limit_clause':
        if (clause.count !== undefined) found.limit = wholeNumber(clause.count, refuse);
        if (clause.offset !== undefined) found.offset = wholeNumber(clause.offset, refuse);
        break;
      default:
        throw refuse(placeOf(clause), `must have no ${notSupported[clause.type] ?? 'such clause'}`, form);
    }
  }
  if (columns === undefined || columns.length === 0)
    throw refuse(
      placeOf(node),
      'SELECT must name what to show, got nothing',
      'write for example SELECT COUNT(*) FROM data',
    );
  if (!from) throw refuse(placeOf(node), `must say FROM ${tableName}, got no FROM`, form);
  return { groupBy: [], orderBy: [], ...found, columns, at: placeOf(node) };
};

const checkTable = (expr: Node, refuse: Refuse): void => {
  const table = expr.type === 'alias' ? expr.expr : expr;
  if (table.type !== 'identifier')
    throw refuse(
      placeOf(expr),
      `FROM must name the one table there is, ${tableName}, got something else`,
      'joins and subqueries have no answer in a model of one table',
    );
  if (table.name.toLowerCase() !== tableName)
    throw refuse(
      placeOf(expr),
      `FROM must name the one table there is, got ${JSON.stringify(table.name)}`,
      `write FROM ${tableName}`,
    );
};

const columnFrom = (item: Node, reading: Reading): Statement['columns'][number] => {
  const { refuse, text } = reading;
  if (item.type === 'all_columns')
    throw refuse(
      placeOf(item),
      'SELECT must name attributes and aggregates, got *',
      'a model has no single records: ask for COUNT(*), or take the synthetic rows of the release',
    );
  if (item.type === 'empty') throw refuse(placeOf(item), 'SELECT must not end with a comma', form);
  if (item.type === 'alias')
    return {
      title: asName(item.alias, reading, 'AS must give a name').name,
      expression: expressionFrom(item.expr, reading),
    };
  const expression = expressionFrom(item, reading);
  const [start, end] = item.range!;
  return { title: item.type === 'identifier' ? item.name : text.slice(start, end).replace(/\s+/g, ' '), expression };
};

const aliases = (columns: Statement['columns']): ReadonlyMap<string, Expression> =>
  new Map(columns.map(({ title, expression }) => [title.toLowerCase(), expression]));

const columnAt = (
  columns: Statement['columns'],
  node: Node & { value: number },
  refuse: Refuse,
): Statement['columns'][number] => {
  const column = columns[node.value - 1];
  if (column === undefined)
    throw refuse(
      placeOf(node),
      `a column's number must be from 1 to ${columns.length}, got ${node.value}`,
      'name the column instead',
    );
  return column;
};

const wholeNumber = (node: Node, refuse: Refuse): number => {
  if (node.type !== 'number_literal' || !Number.isSafeInteger(node.value))
    throw refuse(
      placeOf(node),
      'LIMIT and OFFSET must be whole numbers, got something else',
      'write for example LIMIT 10',
    );
  return node.value;
};
