import type { Refuse } from '../sql-error.js';
import type { HomeCondition, SqlLiteral, SqlName, Statement } from '../statement.js';
import { quoteHint } from './syntax-error.js';
import type { Token } from './token.js';
import type { SelectTree, Tree } from './tree.js';

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
  /** The meaning of a condition on what the SELECT counts, records or households. */
  readonly condition: (tree: Tree) => HomeCondition;
}

/** The first character of a part, parentheses around it aside. */
export const placeOf = ({ first }: Tree, { tokens }: Meaning): number => tokens[first].at;

/** A part as it was written, parentheses around it aside. */
export const written = ({ first, last }: Tree, { tokens, text }: Meaning): string =>
  text.slice(tokens[first].at, tokens[last].end);

export const shown = (tree: Tree, meaning: Meaning): string => JSON.stringify(written(tree, meaning));

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
export const constantOf = (tree: Tree, meaning: Meaning): SqlLiteral['value'] | undefined => {
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
