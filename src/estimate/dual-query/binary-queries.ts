import { type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { attributesOf } from '../../query/answer.js';
import { kindOf } from '../../query/block/block-kinds.js';
import { describeQuery } from '../../query/describe-query.js';
import { type Factor, neededFactors } from '../../query/factors.js';
import type { Query } from '../../query/query.js';

/** One attribute's part in a query: which of its answers count which cell. */
interface BinaryFactor {
  /** Number of the attribute in the domain. */
  readonly attribute: number;
  readonly rows: number;
  /** The rows that count each cell, ascending. */
  readonly counting: readonly Uint32Array[];
  /** The cells that each row counts, as 0 and 1. */
  readonly cells: readonly Uint8Array[];
}

interface BinaryQuery {
  readonly query: Query;
  /** Where its answers start among those of all queries. */
  readonly start: number;
  readonly size: number;
  readonly factors: readonly BinaryFactor[];
}

/** A condition on one attribute of a record: which of its cells (1) satisfy it. */
export interface Condition {
  readonly attribute: number;
  readonly cells: Uint8Array;
}

/** Queries each of whose answers counts the records that satisfy a condition on each of some attributes. */
export interface BinaryQueries {
  readonly domain: Domain;
  readonly queries: readonly Query[];
  /** Number of the first answer of each query; one more entry holds how many there are. */
  readonly starts: readonly number[];
  /** Answers of all queries together. */
  readonly answers: number;
  /** The numbers of all answers that count a record, ascending within each query and by query. */
  answersOf(record: ArrayLike<number>): Uint32Array;
  /** What a record must satisfy for an answer to count it. */
  conditionsOf(answer: number): Condition[];
}

const refuse = (query: Query): never => {
  throw new InputError(
    `workload: must count records that satisfy a condition on each attribute, by 0 or 1 a record, for dual-query, got ${describeQuery(query)}; leave out means, moments and matrices`,
  );
};

const binaryFactor = (query: Query, { attributes, block, size, rows }: Factor, domain: Domain): BinaryFactor => {
  // A query that is no product has no conditions on single attributes.
  if (attributes.length > 1) refuse(query);
  const counting: Uint32Array[] = [];
  const cells = Array.from({ length: rows }, () => new Uint8Array(size));
  for (let cell = 0; cell < size; cell++) {
    const column = kindOf(block).apply(
      block,
      size,
      Float64Array.from({ length: size }, (_, i) => +(i === cell)),
      1,
      1,
    );
    if (!column.every((entry) => entry === 0 || entry === 1)) refuse(query);
    const own = [...column.keys()].filter((row) => column[row] === 1);
    for (const row of own) cells[row][cell] = 1;
    counting.push(Uint32Array.from(own));
  }
  return { attribute: indexOf(domain, attributes[0]), rows, counting, cells };
};

/** Checks that the entries of the queries are 0 and 1, and lists where. Queries without an attribute, which count all records, are left out. */
export const binaryQueries = (domain: Domain, given: readonly Query[]): BinaryQueries => {
  const queries = given.filter((query) => attributesOf(query).length > 0);
  if (queries.length === 0)
    throw new InputError('workload: must ask about some attribute for dual-query, got the total alone; add a marginal');
  const list: BinaryQuery[] = [];
  let start = 0;
  for (const query of queries) {
    const factors = neededFactors(query, domain).map((factor) => binaryFactor(query, factor, domain));
    const size = factors.reduce((product, { rows }) => product * rows, 1);
    list.push({ query, start, size, factors });
    start += size;
  }
  const answers = start;
  return {
    domain,
    queries,
    starts: [...list.map((query) => query.start), answers],
    answers,
    answersOf(record) {
      const own = list.map(({ factors }) => factors.map(({ attribute, counting }) => counting[record[attribute]]));
      const found = new Uint32Array(
        own.reduce((sum, rows) => sum + rows.reduce((product, { length }) => product * length, 1), 0),
      );
      let at = 0;
      for (const [q, { start: first, factors }] of list.entries()) {
        // The products of the rows of one factor after the other are written over those before, from behind: each is read before it goes.
        found[at] = 0;
        let length = 1;
        for (const [f, rows] of own[q].entries()) {
          for (let i = length - 1; i >= 0; i--) {
            const before = found[at + i] * factors[f].rows;
            for (let k = rows.length - 1; k >= 0; k--) found[at + i * rows.length + k] = before + rows[k];
          }
          length *= rows.length;
        }
        for (let i = 0; i < length; i++) found[at + i] += first;
        at += length;
      }
      return found;
    },
    conditionsOf(answer) {
      const { start: first, factors } = list.findLast((query) => query.start <= answer)!;
      let rest = answer - first;
      const conditions: Condition[] = [];
      for (let i = factors.length - 1; i >= 0; i--) {
        const { attribute, rows, cells } = factors[i];
        conditions.push({ attribute, cells: cells[rest % rows] });
        rest = Math.floor(rest / rows);
      }
      return conditions;
    },
  };
};
