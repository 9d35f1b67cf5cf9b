import { limits } from '../../domain/limits.js';
import type { Axis } from '../../domain/sql/axis.js';
import type { Refuse } from '../../domain/sql/sql-error.js';
import type { CaseOf, SqlName } from '../../domain/sql/statement.js';
import { cellName, type SqlValue } from './sql-value.js';
import { branchesOf } from './values.js';

/** A CASE that records are grouped by: what its groups are called, and for each branch which of them a record is in. */
export interface CaseKey {
  readonly of: CaseOf;
  /** Numbers by size, then texts by their signs; NULL is the last. */
  readonly labels: readonly SqlValue[];
  /** One number, or one for each cell of an attribute. */
  readonly branches: readonly (number | { readonly attribute: number; readonly labels: readonly number[] })[];
}

const rank = (value: SqlValue): number => (value === null ? 2 : typeof value === 'string' ? 1 : 0);

const ascending = (a: SqlValue, b: SqlValue): number => {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return a === b ? 0 : a! < b! ? -1 : 1;
};

/** What a record is called by a branch that names an attribute: its cell. */
export const caseKeyOf = (
  of: CaseOf,
  axes: readonly Axis[],
  find: (name: SqlName) => number,
  refuse: Refuse,
): CaseKey => {
  const named = branchesOf(of).map((branch) => {
    if (branch.kind === 'null') return { labels: [null] };
    if (branch.kind === 'constant') return { labels: [branch.value] };
    const attribute = find(branch);
    const { size } = axes[attribute].attribute;
    if (size > limits.sqlBoxes)
      throw refuse(
        branch.at,
        `an attribute that a CASE groups by must have at most ${limits.sqlBoxes} cells, got ${size}`,
        'give a value that is written out, or group by the attribute itself',
      );
    return { attribute, labels: Array.from({ length: size }, (_, cell) => cellName(axes[attribute], cell)) };
  });
  const labels = [...new Set(named.flatMap((branch): readonly SqlValue[] => branch.labels))].sort(ascending);
  const places = new Map(labels.map((label, i) => [label, i]));
  return {
    of,
    labels,
    branches: named.map((branch) => {
      const own = branch.labels.map((label) => places.get(label)!);
      return branch.attribute === undefined ? own[0] : { attribute: branch.attribute, labels: own };
    }),
  };
};
