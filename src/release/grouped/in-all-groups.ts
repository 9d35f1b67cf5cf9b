import { InputError } from '../../domain/input-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { GroupKey } from '../../privacy/session/session.js';
import type { Query } from '../../query/query.js';

/** What was measured in every group of a partition, in one order of queries. */
interface InGroup {
  readonly total: Measurement;
  readonly answers: readonly Measurement[];
}

/**
 * Measurements of all groups as measurements of the whole table: of each query by group, the answers of one group after another.
 * A whole-table query of the same sensitivity, since a row is in one group only.
 */
export const inAllGroups = (groups: readonly InGroup[], by: readonly GroupKey[]): Measurement[] => {
  const lists = groups.map(({ total, answers }) => [total, ...answers]);
  return lists[0].map(({ query, noise }, q) => {
    const parts = lists.map((list) => list[q].values);
    const values = new Float64Array(parts.length * parts[0].length);
    parts.forEach((part, group) => {
      values.set(part, group * part.length);
    });
    return { query: byGroup(query, by), values, noise };
  });
};

/** A query of every group as a query of the whole table: the groups first. */
export const byGroup = (query: Query, by: readonly GroupKey[]): Query => {
  if (query.kind !== 'marginal') throw new InputError('groups: measure marginals in them, got another query');
  const plain = by.filter((key) => typeof key === 'string');
  if (plain.length === by.length) return { kind: 'marginal', attributes: [...plain, ...query.attributes] };
  return {
    kind: 'factored',
    factors: [
      ...by.map((key) =>
        typeof key === 'string'
          ? { attribute: key, block: { kind: 'keep' } as const }
          : { attribute: key.attribute, block: { kind: 'regroup', groups: key.groups, size: key.size } as const },
      ),
      ...query.attributes.map((attribute) => ({ attribute, block: { kind: 'keep' } as const })),
    ],
  };
};
