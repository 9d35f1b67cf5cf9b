import { meant, type Refuse } from '../sql-error.js';
import {
  type Aggregate,
  aggregates,
  type Expression,
  type SqlLiteral,
  type SqlName,
  type Statement,
} from '../statement.js';
import { quoteHint } from './syntax-error.js';
import type { Token } from './token.js';
import { foldChain, type SelectTree, type Tree } from './tree.js';

/** What giving a meaning to a part of a text needs to know of the whole. */
export interface Meaning {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly refuse: Refuse;
  /** Names of attributes: what is none of them may be a key. */
  readonly names: readonly string[];
  /** Whether there are households and persons. */
  readonly isTwoLevel: boolean;
  /** The meaning of a SELECT inside the statement. */
  readonly select: (tree: SelectTree) => Statement;
}

/** The first character of a part, parentheses around it aside. */
export const placeOf = ({ first }: Tree, { tokens }: Meaning): number => tokens[first].at;

/** A part as it was written, parentheses around it aside. */
const written = ({ first, last }: Tree, { tokens, text }: Meaning): string =>
  text.slice(tokens[first].at, tokens[last].end);

const shown = (tree: Tree, meaning: Meaning): string => JSON.stringify(written(tree, meaning));

/** A name; `data.x` is x. */
export const asName = (tree: Tree, meaning: Meaning, rule: string): SqlName => {
  if (tree.kind === 'name') {
    const { value, at } = meaning.tokens[tree.last];
    return { name: value, at };
  }
  throw meaning.refuse(
    placeOf(tree, meaning),
    `${rule}, got ${shown(tree, meaning)}`,
    tree.kind === 'word'
      ? quoteHint(written(tree, meaning))
      : 'names with spaces, and names that are SQL words, go in double quotes',
  );
};

/** The value of a part if it is one that was written out. */
const constantOf = (tree: Tree, meaning: Meaning): SqlLiteral['value'] | undefined => {
  const { value } = meaning.tokens[tree.first];
  switch (tree.kind) {
    case 'number':
      return Number(value);
    case 'text':
      return value;
    case 'true':
    case 'false':
      return tree.kind === 'true';
    case 'date':
      return constantOf(tree.of, meaning);
    case 'unary': {
      const of = tree.operator.name === 'NOT' ? undefined : constantOf(tree.of, meaning);
      return typeof of !== 'number' ? undefined : tree.operator.name === '-' ? -of : of;
    }
    default:
      return undefined;
  }
};

/** Whether a part is a value that was written out. */
export const isLiteral = (tree: Tree, meaning: Meaning): boolean => constantOf(tree, meaning) !== undefined;

/** A written-out value. */
export const asLiteral = (tree: Tree, meaning: Meaning): SqlLiteral => {
  const at = placeOf(tree, meaning);
  const value = constantOf(tree, meaning);
  if (value !== undefined) return { value, at, text: written(tree, meaning) };
  if (tree.kind === 'null') throw meaning.refuse(at, 'nothing is equal to NULL', 'write IS NULL or IS NOT NULL');
  const hint =
    tree.kind === 'name' || tree.kind === 'star'
      ? 'put texts in single quotes; attributes can be compared with values only, not with each other'
      : 'write a number, a text or a date in single quotes, TRUE or FALSE';
  throw meaning.refuse(at, `must be compared with a value, got ${shown(tree, meaning)}`, hint);
};

/** A whole number as it was written, from 0; undefined for anything else. */
export const asWholeNumber = (tree: Tree, meaning: Meaning): number | undefined => {
  const value = tree.kind === 'number' ? constantOf(tree, meaning) : undefined;
  return Number.isSafeInteger(value) ? Number(value) : undefined;
};

/** A number from counts. `aliases` are titles of columns, in lower case, that may be used for what they stand for. */
export const expressionFrom = (
  tree: Tree,
  meaning: Meaning,
  aliases: ReadonlyMap<string, Expression> = new Map(),
): Expression =>
  foldChain(
    tree,
    isArithmetic,
    (first) => operandFrom(first, meaning, aliases),
    (left, node): Expression => {
      const operator = node.operator.name as Arithmetic;
      const right = expressionFrom(node.right, meaning, aliases);
      return { kind: 'arithmetic', operator, left, right, at: placeOf(node, meaning) };
    },
  );

type Arithmetic = (Expression & { readonly kind: 'arithmetic' })['operator'];
const isArithmetic = (operator: string): boolean => ['+', '-', '*', '/'].includes(operator);

const operandFrom = (tree: Tree, meaning: Meaning, aliases: ReadonlyMap<string, Expression>): Expression => {
  const { refuse } = meaning;
  const at = placeOf(tree, meaning);
  switch (tree.kind) {
    case 'number':
      return { kind: 'number', value: Number(constantOf(tree, meaning)), at };
    case 'name':
    case 'star': {
      const { name } = asName(tree, meaning, 'must be the name of an attribute');
      return aliases.get(name.toLowerCase()) ?? { kind: 'attribute', name, at };
    }
    case 'select': {
      const statement = meaning.select(tree.select);
      if (statement.columns.length !== 1 || statement.groupBy.length > 0)
        throw refuse(at, 'a SELECT within another must give one number', 'for example (SELECT COUNT(*) FROM data)');
      return { kind: 'select', statement, at };
    }
    case 'unary': {
      const { name } = tree.operator;
      if (name !== '-' && name !== '+') break;
      const right = expressionFrom(tree.of, meaning, aliases);
      return { kind: 'arithmetic', operator: name, left: { kind: 'number', value: 0, at }, right, at };
    }
    case 'call':
      return aggregateFrom(tree, meaning);
  }
  throw refuse(
    at,
    `must be an attribute, ${aggregates.join(', ')}, a number, or arithmetic with these, got ${shown(tree, meaning)}`,
    tree.kind === 'word' ? quoteHint(written(tree, meaning)) : 'docs/sql.md says what can be asked',
  );
};

const aggregateFrom = ({ args, extra, first }: Tree & { readonly kind: 'call' }, meaning: Meaning): Expression => {
  const { refuse, tokens } = meaning;
  const { value: name, at } = tokens[first];
  const aggregate = aggregates.find((known) => known === name.toUpperCase()) as Aggregate | undefined;
  if (aggregate === undefined)
    throw refuse(
      at,
      `functions must be ${aggregates.join(', ')}, got ${name}`,
      meant(name.toUpperCase(), aggregates, 'there are'),
    );
  if (extra !== undefined)
    throw refuse(
      tokens[extra].at,
      `${aggregate} must be plain, without DISTINCT, FILTER or OVER`,
      'put conditions in WHERE, groups in GROUP BY',
    );
  const [argument] = args;
  const whole = argument === undefined || (args.length === 1 && argument.kind === 'star');
  if (aggregate === 'SHARE' || aggregate === 'PERCENT') {
    if (!whole)
      throw refuse(
        placeOf(argument, meaning),
        `${aggregate} must have nothing in its parentheses`,
        `${aggregate}() is the share of the selected records of a group among all records`,
      );
    return { kind: 'aggregate', aggregate, at };
  }
  if (whole && aggregate === 'COUNT') return { kind: 'aggregate', aggregate, at };
  if (args.length !== 1 || whole)
    throw refuse(at, `${aggregate} must have one attribute in its parentheses`, `for example ${aggregate}(age)`);
  return { kind: 'aggregate', aggregate, of: asName(argument, meaning, `${aggregate} must be of an attribute`), at };
};
