import type { Node } from 'sql-parser-cst';
import { meant, type Refuse } from './sql-error.js';
import {
  type Aggregate,
  aggregates,
  type Expression,
  type SqlLiteral,
  type SqlName,
  type Statement,
} from './statement.js';

/** What reading a part of a statement needs to know of the whole. */
export interface Reading {
  readonly text: string;
  readonly refuse: Refuse;
  /** Reads a SELECT inside the statement. */
  readonly select: (node: Node) => Statement;
}

/** The first character of a node. */
export const placeOf = (node: { readonly range?: [number, number] }): number => node.range?.[0] ?? 0;

/** The node without parentheses around it. */
export const bare = (node: Node): Node => (node.type === 'paren_expr' ? bare(node.expr) : node);

/** The text of a node, for messages. */
const shown = (node: Node, { text }: Reading): string => JSON.stringify(text.slice(...(node.range ?? [0, 0])));

/** A name; `data.x` is x. */
export const asName = (given: Node, reading: Reading, rule: string): SqlName => {
  const node = bare(given);
  if (node.type === 'identifier') return { name: node.name, at: placeOf(node) };
  if (node.type === 'member_expr' && node.property.type === 'identifier')
    return { name: node.property.name, at: placeOf(node.property) };
  throw reading.refuse(
    placeOf(given),
    `${rule}, got ${shown(given, reading)}`,
    'names with spaces, and names that are SQL words, go in double quotes',
  );
};

/** A written-out value. */
export const asLiteral = (given: Node, reading: Reading): SqlLiteral => {
  const node = bare(given);
  const place = { at: placeOf(given), text: reading.text.slice(...(given.range ?? [0, 0])) };
  if (node.type === 'number_literal' || node.type === 'string_literal' || node.type === 'boolean_literal')
    return { ...place, value: node.value };
  if (node.type === 'date_literal') return { ...place, value: node.string.value };
  if (node.type === 'prefix_op_expr' && (node.operator === '-' || node.operator === '+')) {
    const { value } = asLiteral(node.expr, reading);
    if (typeof value === 'number') return { ...place, value: node.operator === '-' ? -value : value };
  }
  if (node.type === 'null_literal')
    throw reading.refuse(placeOf(given), 'nothing is equal to NULL', 'write IS NULL or IS NOT NULL');
  const hint =
    node.type === 'identifier'
      ? 'put texts in single quotes; attributes can be compared with values only, not with each other'
      : 'write a number, a text or a date in single quotes, TRUE or FALSE';
  throw reading.refuse(placeOf(given), `must be compared with a value, got ${shown(given, reading)}`, hint);
};

/** A number from counts. `aliases` are titles of columns, in lower case, that may be used for what they stand for. */
export const expressionFrom = (
  given: Node,
  reading: Reading,
  aliases: ReadonlyMap<string, Expression> = new Map(),
): Expression => {
  const { refuse } = reading;
  const node = bare(given);
  const at = placeOf(node);
  switch (node.type) {
    case 'number_literal':
      return { kind: 'number', value: node.value, at };
    case 'identifier':
    case 'member_expr': {
      const { name } = asName(node, reading, 'must be the name of an attribute');
      return aliases.get(name.toLowerCase()) ?? { kind: 'attribute', name, at };
    }
    case 'select_stmt': {
      const statement = reading.select(node);
      if (statement.columns.length !== 1 || statement.groupBy.length > 0)
        throw refuse(at, 'a SELECT within another must give one number', 'for example (SELECT COUNT(*) FROM data)');
      return { kind: 'select', statement, at };
    }
    case 'prefix_op_expr':
      if (node.operator === '-' || node.operator === '+') {
        const right = expressionFrom(node.expr, reading, aliases);
        return { kind: 'arithmetic', operator: node.operator, left: { kind: 'number', value: 0, at }, right, at };
      }
      break;
    case 'binary_expr': {
      const { operator } = node;
      if (operator !== '+' && operator !== '-' && operator !== '*' && operator !== '/') break;
      const left = expressionFrom(node.left, reading, aliases);
      return { kind: 'arithmetic', operator, left, right: expressionFrom(node.right, reading, aliases), at };
    }
    case 'func_call': {
      if (node.name.type !== 'identifier') break;
      return aggregateFrom(node.name.name, node, reading);
    }
  }
  throw refuse(
    at,
    `must be an attribute, ${aggregates.join(', ')}, a number, or arithmetic with these, got ${shown(node, reading)}`,
    'see surmise query --help',
  );
};

const aggregateFrom = (written: string, node: Node & { type: 'func_call' }, reading: Reading): Expression => {
  const { refuse } = reading;
  const at = placeOf(node);
  const aggregate = aggregates.find((known) => known === written.toUpperCase()) as Aggregate | undefined;
  if (aggregate === undefined)
    throw refuse(
      at,
      `functions must be ${aggregates.join(', ')}, got ${written}`,
      meant(written.toUpperCase(), aggregates, 'there are'),
    );
  const extra =
    node.over ?? node.filter ?? node.args?.expr.distinctKw ?? node.args?.expr.orderBy ?? node.args?.expr.limit;
  if (extra !== undefined)
    throw refuse(
      placeOf(extra),
      `${aggregate} must be plain, without DISTINCT, FILTER or OVER`,
      'put conditions in WHERE, groups in GROUP BY',
    );
  const items = node.args?.expr.args.items ?? [];
  const [first] = items;
  const whole = items.length === 0 || (items.length === 1 && first.type === 'all_columns');
  if (aggregate === 'SHARE' || aggregate === 'PERCENT') {
    if (!whole)
      throw refuse(
        placeOf(first),
        `${aggregate} must have nothing in its parentheses`,
        `${aggregate}() is the share of the selected records of a group among all records`,
      );
    return { kind: 'aggregate', aggregate, at };
  }
  if (whole && aggregate === 'COUNT') return { kind: 'aggregate', aggregate, at };
  if (items.length !== 1 || whole)
    throw refuse(at, `${aggregate} must have one attribute in its parentheses`, `for example ${aggregate}(age)`);
  return { kind: 'aggregate', aggregate, of: asName(first, reading, `${aggregate} must be of an attribute`), at };
};
