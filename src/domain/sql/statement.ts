/** Where something stands in the text of a statement: its first character, counted from 0. */
export interface Placed {
  readonly at: number;
}

/** A value that was written out. */
export interface SqlLiteral extends Placed {
  readonly value: string | number | boolean;
  /** As it was written. */
  readonly text: string;
}

/** The name of an attribute. */
export interface SqlName extends Placed {
  readonly name: string;
}

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Simple conditions, joined and negated. */
export type Logic<Simple> =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Logic<Simple>[] }
  | { readonly kind: 'not'; readonly of: Logic<Simple> }
  | Simple;

/** A condition on one attribute of a record. */
export type SimpleCondition =
  | {
      readonly kind: 'compare';
      readonly attribute: SqlName;
      readonly operator: Comparison;
      readonly literal: SqlLiteral;
    }
  | {
      readonly kind: 'between';
      readonly attribute: SqlName;
      readonly from: SqlLiteral;
      readonly to: SqlLiteral;
    }
  | { readonly kind: 'in'; readonly attribute: SqlName; readonly literals: readonly SqlLiteral[] }
  | {
      readonly kind: 'like';
      readonly attribute: SqlName;
      readonly pattern: SqlLiteral;
      /** ILIKE: capitals and small letters are one. */
      readonly anyCase: boolean;
      /** The sign that makes the next one of the pattern stand for itself; a backslash unless told, none where it is empty. */
      readonly escapedBy?: SqlLiteral | undefined;
    }
  | { readonly kind: 'null'; readonly attribute: SqlName }
  /** A boolean attribute on its own. */
  | { readonly kind: 'true'; readonly attribute: SqlName };

/** A condition on a record. */
export type Condition = Logic<SimpleCondition>;

/**
 * A condition on who lives in a household: how many of its persons meet `where` must meet `having`; without it, at least one must. EXISTS, and
 * IN with the keys of persons.
 */
export interface Holds extends Placed {
  readonly kind: 'holds';
  readonly where?: Condition | undefined;
  readonly having?: GroupCondition | undefined;
}

/** A condition on a household. */
export type HomeCondition = Logic<SimpleCondition | Holds>;

/** What a record has: the value of an attribute, one that was written out, or none. */
export type Value = Placed &
  (
    | { readonly kind: 'attribute'; readonly name: string }
    | { readonly kind: 'constant'; readonly value: SqlLiteral['value'] }
    | { readonly kind: 'null' }
  );

/** CASE: the value of the first branch whose condition is true; conditions on who lives in a household only where households are counted. */
export interface CaseOf extends Placed {
  readonly kind: 'case';
  readonly branches: readonly { readonly when: HomeCondition; readonly gives: Value }[];
  readonly otherwise: Value;
}

/** What an aggregate is of, and what records are grouped by. */
export type ValueOf = Value | CaseOf;

export const aggregates = [
  'COUNT',
  'SUM',
  'AVG',
  'SHARE',
  'PERCENT',
  'MIN',
  'MAX',
  'STDDEV_SAMP',
  'STDDEV_POP',
  'VAR_SAMP',
  'VAR_POP',
  'CORR',
  'PERCENTILE_CONT',
  'PERCENTILE_DISC',
] as const;
export type Aggregate = (typeof aggregates)[number];

/** A number that is worked out from the records of a group. */
export interface AggregateOf extends Placed {
  readonly kind: 'aggregate';
  readonly aggregate: Aggregate;
  /** Nothing for COUNT(*), SHARE() and PERCENT(); two for CORR; one for all others. */
  readonly of: readonly ValueOf[];
  /** Of percentiles: the share of the records at or below, 0 to 1. */
  readonly share?: number | undefined;
  /** FILTER: which records of the group. */
  readonly filter?: HomeCondition | undefined;
}

/** A number that is worked out from counts, or the value of what records are grouped by. */
export type Expression =
  | AggregateOf
  | CaseOf
  | (Placed &
      (
        | { readonly kind: 'number'; readonly value: number }
        | { readonly kind: 'attribute'; readonly name: string }
        | { readonly kind: 'select'; readonly statement: Statement }
        | {
            readonly kind: 'arithmetic';
            readonly operator: '+' | '-' | '*' | '/';
            readonly left: Expression;
            readonly right: Expression;
          }
      ));

/** What records are grouped by. */
export type GroupKey = CaseOf | (SqlName & { readonly kind: 'attribute' });

/** A condition on a group. */
export type GroupCondition = Logic<{
  readonly kind: 'compare';
  readonly operator: Comparison;
  readonly left: Expression;
  readonly right: Expression;
}>;

/** One question: SELECT ... FROM data, as far as a model can answer it. */
export interface Statement extends Placed {
  /** Where households are counted and not records: what is asked of them, in the place of `where`. */
  readonly households?: { readonly where?: HomeCondition | undefined } | undefined;
  readonly columns: readonly { readonly title: string; readonly expression: Expression }[];
  readonly where?: Condition | undefined;
  readonly groupBy: readonly GroupKey[];
  readonly having?: GroupCondition | undefined;
  readonly orderBy: readonly { readonly expression: Expression; readonly descending: boolean }[];
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}
