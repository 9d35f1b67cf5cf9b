import { cellsOf, type Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Table } from '../domain/table.js';
import { answerFrom, attributesOf } from '../query/answer.js';
import { describeQuery } from '../query/describe-query.js';
import type { Query } from '../query/query.js';
import { queryKey } from '../query/query-key.js';
import type { Model } from './model.js';
import { sumTo } from './sum-to.js';

/** Estimated counts of all cells of some attributes, row-major; any of them may be negative. */
export interface LocalTable {
  readonly attributes: readonly string[];
  readonly counts: Float64Array;
}

/** Estimated answers of one query. */
export interface LocalAnswers {
  readonly query: Query;
  readonly values: Float64Array;
}

/**
 * What was measured, each part by itself: no distribution. It answers what lies within one of its tables, or is one of its queries, and
 * nothing else; its answers are unbiased, may be negative and need not agree with each other, and there are no rows to draw.
 */
export interface LocalModel extends Model {
  readonly kind: 'local';
  readonly covers: (attributes: readonly string[]) => boolean;
  readonly tables: readonly LocalTable[];
  readonly answers: readonly LocalAnswers[];
}

/** A model of separate estimates; tables and answers are kept, not copied. A query is answered from the smallest table that has its attributes. */
export const localModel = (
  domain: Domain,
  total: number,
  tables: readonly LocalTable[],
  answers: readonly LocalAnswers[] = [],
): LocalModel => {
  const known = new Map(answers.map(({ query, values }) => [queryKey(query), values]));
  /** The smallest table that has the attributes: the least noise is summed. */
  const tableFor = (attributes: readonly string[], what: string): LocalTable => {
    const inside = tables.filter((table) => attributes.every((name) => table.attributes.includes(name)));
    if (inside.length === 0)
      throw new InputError(
        `${what}: must lie within what was measured together for a model without a distribution, got other attributes; ask for fewer, or make the release with the estimator pgm`,
      );
    return inside.reduce((best, table) => (table.counts.length < best.counts.length ? table : best));
  };
  const marginal = (attributes: readonly string[]): Float64Array => {
    cellsOf(domain, attributes);
    const { attributes: held, counts } = tableFor(attributes, attributes.join(' x ') || 'the total');
    return sumTo(counts, domain, held, attributes);
  };
  return {
    kind: 'local',
    domain,
    total,
    tables,
    answers,
    cost: {
      bytes: 8 * [...tables.map(({ counts }) => counts), ...known.values()].reduce((sum, list) => sum + list.length, 0),
      visits: Number.POSITIVE_INFINITY,
    },
    covers: (attributes) =>
      tables.some((table) => attributes.every((attribute) => table.attributes.includes(attribute))),
    marginal,
    answer: (query) => {
      const measured = known.get(queryKey(query));
      if (measured !== undefined) return measured.slice();
      const attributes = attributesOf(query);
      const { attributes: held, counts } = tableFor(attributes, describeQuery(query));
      return answerFrom(query, domain, sumTo(counts, domain, held, attributes));
    },
    sample: (): Table => {
      throw new InputError(
        'rows: need a model that is a distribution, got one of separate estimates; make the release with the estimator pgm',
      );
    },
  };
};
