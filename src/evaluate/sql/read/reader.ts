import type { Cursor } from './cursor.js';
import type { SelectTree, Span, Tree } from './tree.js';

/** A cursor that knows the parts of the grammar which others are made of, and which are made of those in turn. */
export interface Reader extends Cursor {
  /** An expression, or * alone. A column may end with its name. */
  readonly expression: (isColumn?: boolean) => Tree;
  /** An expression, which * alone is none of. */
  readonly value: () => Tree;
  /** What operators stand between. */
  readonly operand: () => Tree;
  /** A SELECT with all its clauses, and others that UNION adds. */
  readonly query: () => SelectTree;
}

/** The span of a part that has been read, from its first token. */
export const spanFrom = (first: number, reader: Reader): Span => {
  const last = reader.position() - 1;
  return { first, last, outerFirst: first, outerLast: last };
};

export const readStar = (reader: Reader): Tree => {
  const first = reader.expect('*');
  return { kind: 'star', ...spanFrom(first, reader) };
};
