import { cellsOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import type { PrivateSource } from '../../source/source.js';

/** Exact answers, held by a session in a closure and never handed out. */
export interface ExactAnswers {
  /** Refuses queries that cannot be answered within the memory limit: before they are paid for. */
  check(queries: readonly Query[]): void;
  /** Calls `visit` with the answers of each query in order; an array is lent for the call only and must not be changed. */
  each(queries: readonly Query[], visit: (answers: Float64Array, index: number) => void): Promise<void>;
}

const bytes = (count: number): string =>
  count < 2 ** 30 ? `${Math.ceil(count / 2 ** 20)} MB` : `${(count / 2 ** 30).toPrecision(3)} GB`;

/**
 * Counts marginals in batches of at most `memory` bytes and answers queries from them. Counts stay cached while they fit, so
 * a mechanism that scores the same candidates every round counts them once.
 */
export const exactAnswers = (source: PrivateSource, memory: number, signal?: AbortSignal): ExactAnswers => {
  const { domain } = source;
  let cache = new Map<string, Float64Array>();
  let cached = 0;

  const size = ({ attributes }: Marginal): number => {
    const cells = cellsOf(domain, attributes);
    if (cells * 8 > memory)
      throw new InputError(
        `query: the marginal it needs must fit ${bytes(memory)}, got ${bytes(cells * 8)} for ${attributes.join(' x ')}; use fewer attributes or coarser cells, or raise the session's memory`,
      );
    return cells;
  };

  /**
   * The counts of a batch. They are handed to whoever asked, and not looked up later: another act may drop the cache meanwhile.
   * What does not fit beside the cache takes its place.
   */
  const count = async (batch: ReadonlyMap<string, Marginal>): Promise<ReadonlyMap<string, Float64Array>> => {
    const held = new Map<string, Float64Array>();
    for (const key of batch.keys()) if (cache.has(key)) held.set(key, cache.get(key)!);
    const missing = [...batch].filter(([key]) => !held.has(key));
    if (missing.length === 0) return held;
    if ((cached + missing.reduce((sum, entry) => sum + size(entry[1]), 0)) * 8 > memory) {
      cache = new Map(held);
      cached = [...held.values()].reduce((sum, { length }) => sum + length, 0);
    }
    const marginals = missing.map(([, wanted]) => wanted);
    const counts = await source.counts(marginals, { signal });
    missing.forEach(([key], index) => {
      held.set(key, counts[index]);
      if (!cache.has(key)) cached += counts[index].length;
      cache.set(key, counts[index]);
    });
    return held;
  };

  return {
    check(queries) {
      for (const query of queries) size(marginal(...attributesOf(query)));
    },
    async each(queries, visit) {
      const needs = queries.map((query) => marginal(...attributesOf(query)));
      const keys = needs.map(({ attributes }) => JSON.stringify(attributes));
      const cells = needs.map(size);
      for (let start = 0, end = 0; start < queries.length; start = end) {
        signal?.throwIfAborted();
        const batch = new Map<string, Marginal>();
        for (let held = 0; end < queries.length; end++) {
          if (batch.has(keys[end])) continue;
          held += cells[end];
          if (held * 8 > memory) break;
          batch.set(keys[end], needs[end]);
        }
        const held = await count(batch);
        for (let index = start; index < end; index++) {
          const counts = held.get(keys[index])!;
          visit(queries[index].kind === 'marginal' ? counts : answerFrom(queries[index], domain, counts), index);
        }
      }
    },
  };
};
