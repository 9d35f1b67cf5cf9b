import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { type Counted, holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import type { PrivateSource } from '../../source/source.js';

/** Exact answers, held by a session in a closure and never handed out. */
export interface ExactAnswers {
  /** Refuses queries that cannot be answered within the memory limit: before they are paid for. */
  check(queries: readonly Query[]): void;
  /** Calls `visit` with the answers of each query in order, and waits for it; an array is lent for the call only and must not be changed. */
  each(queries: readonly Query[], visit: (answers: Float64Array, index: number) => Promise<void> | void): Promise<void>;
}

/** What has to be counted for a query. */
const neededBy = (query: Query): Counted =>
  query.kind === 'holding' ? holding(...query.attributes) : marginal(...attributesOf(query));

/** The answers of a query from what was counted for it. */
const answersFrom = (query: Query, domain: Domain, counts: Float64Array): Float64Array => {
  if (query.kind === 'marginal') return counts;
  if (query.kind !== 'holding') return answerFrom(query, domain, counts);
  return query.cell === undefined ? counts : counts.subarray(query.cell, query.cell + 1);
};

const bytes = (count: number): string =>
  count < 2 ** 30 ? `${Math.ceil(count / 2 ** 20)} MB` : `${(count / 2 ** 30).toPrecision(3)} GB`;

/**
 * Counts marginals, and households where they are asked for, in batches of at most `memory` bytes and answers queries from them. Counts stay cached while they fit, so
 * a mechanism that scores the same candidates every round counts them once.
 */
export const exactAnswers = (source: PrivateSource, memory: number, running: Running = {}): ExactAnswers => {
  const { domain } = source;
  const { signal } = running;
  let cache = new Map<string, Float64Array>();
  let cached = 0;

  const size = ({ kind, attributes }: Counted): number => {
    if (kind === 'holding' && source.holdings === undefined)
      throw new InputError(
        'query: households cannot be counted by this source, got a count of them; ask for the marginal, which counts rows',
      );
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
  const count = async (batch: ReadonlyMap<string, Counted>): Promise<ReadonlyMap<string, Float64Array>> => {
    const held = new Map<string, Float64Array>();
    for (const key of batch.keys()) if (cache.has(key)) held.set(key, cache.get(key)!);
    const missing = [...batch].filter(([key]) => !held.has(key));
    if (missing.length === 0) return held;
    if ((cached + missing.reduce((sum, entry) => sum + size(entry[1]), 0)) * 8 > memory) {
      cache = new Map(held);
      cached = [...held.values()].reduce((sum, { length }) => sum + length, 0);
    }
    const keep = (key: string, counts: Float64Array): void => {
      held.set(key, counts);
      if (!cache.has(key)) cached += counts.length;
      cache.set(key, counts);
    };
    const rows = missing.flatMap(([key, wanted]) => (wanted.kind === 'marginal' ? [{ key, wanted }] : []));
    const homes = missing.flatMap(([key, wanted]) => (wanted.kind === 'holding' ? [{ key, wanted }] : []));
    const asked = <Q>(list: readonly { readonly wanted: Q }[]): Q[] => list.map(({ wanted }) => wanted);
    if (rows.length > 0) {
      const counts = await source.counts(asked(rows), running);
      for (const [index, { key }] of rows.entries()) keep(key, counts[index]);
    }
    if (homes.length > 0) {
      const counts = await source.holdings!(asked(homes), running);
      for (const [index, { key }] of homes.entries()) keep(key, counts[index]);
    }
    return held;
  };

  return {
    check(queries) {
      for (const query of queries) size(neededBy(query));
    },
    async each(queries, visit) {
      const needs = queries.map(neededBy);
      const keys = needs.map(({ kind, attributes }) => JSON.stringify([kind, attributes]));
      const cells = needs.map(size);
      for (let start = 0, end = 0; start < queries.length; start = end) {
        signal?.throwIfAborted();
        const batch = new Map<string, Counted>();
        for (let held = 0; end < queries.length; end++) {
          if (batch.has(keys[end])) continue;
          held += cells[end];
          if (held * 8 > memory) break;
          batch.set(keys[end], needs[end]);
        }
        const held = await count(batch);
        for (let index = start; index < end; index++) {
          const counts = held.get(keys[index])!;
          // Thousands of candidates are visited without waiting for anything.
          const waits = visit(answersFrom(queries[index], domain, counts), index);
          if (waits !== undefined) await waits;
        }
      }
    },
  };
};
