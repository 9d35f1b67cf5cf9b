/** Where a part of a text stands: its first and its last token, without parentheses around it and with them. */
export interface Span {
  readonly first: number;
  readonly last: number;
  readonly outerFirst: number;
  readonly outerLast: number;
}

/** An expression as the grammar reads it, whether it means anything or not. */
export type Tree = Span &
  (
    | { readonly kind: 'number' | 'text' | 'true' | 'false' | 'null' }
    /** A name, which is the last token: `data.x` is x. */
    | { readonly kind: 'name' }
    /** `*` or `data.*`. */
    | { readonly kind: 'star' }
    /** A word that SQL has another use for. */
    | { readonly kind: 'word' }
    | CallTree
    | {
        readonly kind: 'case';
        /** What `when` is compared with; without it `when` is a condition. */
        readonly of?: Tree | undefined;
        readonly branches: readonly { readonly when: Tree; readonly gives: Tree }[];
        readonly otherwise?: Tree | undefined;
      }
    | {
        readonly kind: 'like';
        readonly operator: Operator;
        readonly of: Tree;
        readonly pattern: Tree;
        readonly escapedBy?: Tree | undefined;
      }
    | { readonly kind: 'select'; readonly select: SelectTree }
    | { readonly kind: 'list'; readonly items: readonly Tree[] }
    | { readonly kind: 'unary' | 'after'; readonly operator: Operator; readonly of: Tree }
    | { readonly kind: 'binary'; readonly operator: Operator; readonly left: Tree; readonly right: Tree }
    | {
        readonly kind: 'between';
        readonly negated: boolean;
        readonly of: Tree;
        readonly from: Tree;
        readonly to: Tree;
      }
    /** A text as a date. */
    | { readonly kind: 'date'; readonly of: Tree }
    /** What SQL has and a model has no answer to: arrays, other casts. */
    | { readonly kind: 'other' }
  );

/** A call, and what is said of it within and behind its parentheses. */
export interface CallTree {
  readonly kind: 'call';
  readonly args: readonly Tree[];
  /** The token DISTINCT. */
  readonly distinct?: number | undefined;
  /** The condition of FILTER (WHERE ...). */
  readonly filter?: Tree | undefined;
  /** What WITHIN GROUP (ORDER BY ...) orders by. */
  readonly within?: OrderTree | undefined;
  /** The token at which it says anything else, such as OVER. */
  readonly extra?: number | undefined;
}

export interface OrderTree {
  readonly by: Tree;
  readonly descending: boolean;
}

export type BinaryTree = Tree & { readonly kind: 'binary' };

/**
 * The meaning of a chain such as a + b + c, which is a tree as deep as the chain is long: from the left, without a call within another
 * for each operator.
 */
export const foldChain = <T>(
  tree: Tree,
  belongs: (operator: string) => boolean,
  first: (tree: Tree) => T,
  join: (left: T, node: BinaryTree) => T,
): T => {
  const chain: BinaryTree[] = [];
  let start = tree;
  for (; start.kind === 'binary' && belongs(start.operator.name); start = start.left) chain.push(start);
  return chain.reduceRight(join, first(start));
};

export interface Operator {
  readonly name: string;
  readonly token: number;
}

/** A SELECT as the grammar reads it; tokens are given by their numbers. */
export interface SelectTree {
  readonly first: number;
  readonly columns: readonly { readonly of: Tree; readonly alias?: number | undefined }[];
  readonly table?: number | undefined;
  /** Another table, and the names on both sides that must agree. */
  readonly join?: { readonly table: number; readonly on: readonly [number, number] } | undefined;
  readonly where?: Tree | undefined;
  readonly groupBy: readonly Tree[];
  readonly having?: Tree | undefined;
  readonly orderBy: readonly OrderTree[];
  readonly limit?: Tree | undefined;
  readonly offset?: Tree | undefined;
}
