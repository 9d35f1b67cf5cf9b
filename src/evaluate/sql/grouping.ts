import type { Axis } from '../../domain/sql/axis.js';
import type { Refuse } from '../../domain/sql/sql-error.js';
import type { CaseOf, GroupKey, SqlName } from '../../domain/sql/statement.js';
import { type CaseKey, caseKeyOf } from './case-key.js';
import { sameText } from './same-text.js';

/** What records are grouped by. Groups are numbered row-major: first by the CASEs, then by the attributes. */
export interface Grouping {
  readonly cases: readonly CaseKey[];
  /** Positions of the grouping attributes. */
  readonly attributes: readonly number[];
  /** How many groups each of them makes, and how many all. */
  readonly shape: readonly number[];
  readonly size: number;
  /** Places in `shape`, in the order of GROUP BY. */
  readonly order: readonly number[];
  /** The place of an attribute or of a CASE in `shape`; -1 for one that is no key. */
  readonly placeOf: (key: number | CaseOf) => number;
}

export const groupingOf = (
  keys: readonly GroupKey[],
  axes: readonly Axis[],
  find: (name: SqlName) => number,
  refuse: Refuse,
): Grouping => {
  const texts = [...new Map(keys.flatMap((key) => (key.kind === 'case' ? [[sameText(key), key] as const] : [])))];
  const cases = texts.map(([, key]) => caseKeyOf(key, axes, find, refuse));
  const attributes = [...new Set(keys.flatMap((key) => (key.kind === 'attribute' ? [find(key)] : [])))];
  const shape = [
    ...cases.map(({ labels }) => labels.length),
    ...attributes.map((attribute) => axes[attribute].attribute.size),
  ];
  const placeOf = (key: number | CaseOf): number => {
    if (typeof key !== 'number') return texts.findIndex(([text]) => text === sameText(key));
    const at = attributes.indexOf(key);
    return at < 0 ? -1 : cases.length + at;
  };
  return {
    cases,
    attributes,
    shape,
    size: shape.reduce((product, size) => product * size, 1),
    order: [...new Set(keys.map((key) => placeOf(key.kind === 'case' ? key : find(key))))],
    placeOf,
  };
};
