import type { Expr, ExprCall, PGNode, Statement as PgStatement } from 'pgsql-ast-parser';
import type { Script } from './script.js';
import { meant, type Refuse } from './sql-error.js';
import {
  type Aggregate,
  aggregates,
  type Expression,
  type SqlLiteral,
  type SqlName,
  type Statement,
} from './statement.js';
import { quoteHint } from './syntax-error.js';

/** What reading a part of a statement needs to know of the whole. */
export interface Reading {
  readonly script: Script;
  readonly refuse: Refuse;
  /** Reads a SELECT inside the statement. */
  readonly select: (node: PgStatement) => Statement;
}

/** The first character of a node, parentheses around it aside. */
export const placeOf = (node: PGNode, { script }: Reading): number => script.tokens[script.inner(node)[0]].at;

/** A node as it was written, parentheses around it aside. */
const written = (node: PGNode, { script: { inner, tokens, text } }: Reading): string => {
  const [first, last] = inner(node);
  return text.slice(tokens[first].at, tokens[last].end);
};

const shown = (node: PGNode, reading: Reading): string => JSON.stringify(written(node, reading));

/** Whether a name was meant where SQL has another use for the word. */
export const isKeyword = ({ type }: Expr): boolean => type === 'keyword' || type === 'default';

/** A name; `data.x` is x. */
export const asName = (node: Expr, reading: Reading, rule: string): SqlName => {
  if (node.type === 'ref' && node.name !== '*') {
    const { tokens, inner } = reading.script;
    const { value, at } = tokens[inner(node)[1]];
    return { name: value, at };
  }
  throw reading.refuse(
    placeOf(node, reading),
    `${rule}, got ${shown(node, reading)}`,
    isKeyword(node)
      ? quoteHint(written(node, reading))
      : 'names with spaces, and names that are SQL words, go in double quotes',
  );
};

/** The value of a node if it is one that was written out. */
const constantOf = (node: Expr, reading: Reading): SqlLiteral['value'] | undefined => {
  const { tokens, inner } = reading.script;
  const [first] = inner(node);
  switch (node.type) {
    case 'integer':
    case 'numeric':
      return Number(tokens[first].value);
    case 'string':
      return tokens[first].value;
    case 'boolean':
      return node.value;
    case 'cast':
      if (node.operand.type !== 'string' || !('name' in node.to) || node.to.name !== 'date') return undefined;
      return constantOf(node.operand, reading);
    case 'unary': {
      const value = node.op === '-' || node.op === '+' ? constantOf(node.operand, reading) : undefined;
      return typeof value !== 'number' ? undefined : node.op === '-' ? -value : value;
    }
    default:
      return undefined;
  }
};

/** Whether a node is a value that was written out. */
export const isLiteral = (node: Expr, reading: Reading): boolean => constantOf(node, reading) !== undefined;

/** A written-out value. */
export const asLiteral = (node: Expr, reading: Reading): SqlLiteral => {
  const at = placeOf(node, reading);
  const value = constantOf(node, reading);
  if (value !== undefined) return { value, at, text: written(node, reading) };
  if (node.type === 'null') throw reading.refuse(at, 'nothing is equal to NULL', 'write IS NULL or IS NOT NULL');
  const hint =
    node.type === 'ref'
      ? 'put texts in single quotes; attributes can be compared with values only, not with each other'
      : 'write a number, a text or a date in single quotes, TRUE or FALSE';
  throw reading.refuse(at, `must be compared with a value, got ${shown(node, reading)}`, hint);
};

/** A whole number as it was written, from 0; undefined for anything else. */
export const asWholeNumber = (node: Expr, reading: Reading): number | undefined => {
  const value = node.type === 'integer' ? constantOf(node, reading) : undefined;
  return Number.isSafeInteger(value) ? Number(value) : undefined;
};

/** A number from counts. `aliases` are titles of columns, in lower case, that may be used for what they stand for. */
export const expressionFrom = (
  node: Expr,
  reading: Reading,
  aliases: ReadonlyMap<string, Expression> = new Map(),
): Expression => {
  const { refuse } = reading;
  const at = placeOf(node, reading);
  switch (node.type) {
    case 'integer':
    case 'numeric':
      return { kind: 'number', value: Number(constantOf(node, reading)), at };
    case 'ref': {
      const { name } = asName(node, reading, 'must be the name of an attribute');
      return aliases.get(name.toLowerCase()) ?? { kind: 'attribute', name, at };
    }
    case 'select':
    case 'union':
    case 'union all':
    case 'values':
    case 'with':
    case 'with recursive': {
      const statement = reading.select(node);
      if (statement.columns.length !== 1 || statement.groupBy.length > 0)
        throw refuse(at, 'a SELECT within another must give one number', 'for example (SELECT COUNT(*) FROM data)');
      return { kind: 'select', statement, at };
    }
    case 'unary':
      if (node.op === '-' || node.op === '+') {
        const right = expressionFrom(node.operand, reading, aliases);
        return { kind: 'arithmetic', operator: node.op, left: { kind: 'number', value: 0, at }, right, at };
      }
      break;
    case 'binary': {
      const { op } = node;
      if (op !== '+' && op !== '-' && op !== '*' && op !== '/') break;
      const left = expressionFrom(node.left, reading, aliases);
      return { kind: 'arithmetic', operator: op, left, right: expressionFrom(node.right, reading, aliases), at };
    }
    case 'call':
      if (node.function.schema === undefined) return aggregateFrom(node, reading);
      break;
  }
  throw refuse(
    at,
    `must be an attribute, ${aggregates.join(', ')}, a number, or arithmetic with these, got ${shown(node, reading)}`,
    isKeyword(node) ? quoteHint(written(node, reading)) : 'docs/sql.md says what can be asked',
  );
};

const aggregateFrom = (node: ExprCall, reading: Reading): Expression => {
  const { refuse, script } = reading;
  const [nameAt] = script.inner(node);
  const { value: name, at } = script.tokens[nameAt];
  const aggregate = aggregates.find((known) => known === name.toUpperCase()) as Aggregate | undefined;
  if (aggregate === undefined)
    throw refuse(
      at,
      `functions must be ${aggregates.join(', ')}, got ${name}`,
      meant(name.toUpperCase(), aggregates, 'there are'),
    );
  const extra = extraOf(node, reading);
  if (extra !== undefined)
    throw refuse(
      extra,
      `${aggregate} must be plain, without DISTINCT, FILTER or OVER`,
      'put conditions in WHERE, groups in GROUP BY',
    );
  const [first] = node.args;
  const whole = first === undefined || (node.args.length === 1 && first.type === 'ref' && first.name === '*');
  if (aggregate === 'SHARE' || aggregate === 'PERCENT') {
    if (!whole)
      throw refuse(
        placeOf(first, reading),
        `${aggregate} must have nothing in its parentheses`,
        `${aggregate}() is the share of the selected records of a group among all records`,
      );
    return { kind: 'aggregate', aggregate, at };
  }
  if (whole && aggregate === 'COUNT') return { kind: 'aggregate', aggregate, at };
  if (node.args.length !== 1 || whole)
    throw refuse(at, `${aggregate} must have one attribute in its parentheses`, `for example ${aggregate}(age)`);
  return { kind: 'aggregate', aggregate, of: asName(first, reading, `${aggregate} must be of an attribute`), at };
};

/** Where a call says more than its arguments, if it does. */
const extraOf = (node: ExprCall, reading: Reading): number | undefined => {
  const { tokens, inner, closing } = reading.script;
  const open = inner(node)[0] + 1;
  if (node.distinct) return tokens[open + 1].at;
  if (node.orderBy) return placeOf(node.orderBy[0], reading);
  return node.filter || node.withinGroup || node.over ? tokens[closing(open) + 1].at : undefined;
};
