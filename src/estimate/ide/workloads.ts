import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import { answerSize, attributesOf } from '../../query/answer.js';
import { kindOf } from '../../query/block/block-kinds.js';
import { describeQuery } from '../../query/describe-query.js';
import { neededFactors } from '../../query/factors.js';
import type { Query } from '../../query/query.js';

/**
 * Answers of one measurement that no row is counted twice in: IDE's partial workload W_s, whose columns have L1 norm at
 * most 1. A marginal is one; prefixes are many, of one answer each.
 */
export interface PartialWorkload {
  /** Which measurement the answers belong to. */
  readonly measurement: number;
  /** The attributes of the marginal whose cells `memberOf` is about, row-major. */
  readonly attributes: readonly string[];
  /** Positions of the answers in the measurement's values. */
  readonly answers: Uint32Array;
  /** For each cell of the marginal, which of `answers` counts it; `answers.length` when none does. */
  readonly memberOf: Uint32Array;
}

/** Cells that the partial workloads of one query may list together. */
const largest = 2 ** 27;

/** All ways to take one element of each list. */
const product = <T>(lists: readonly (readonly T[])[]): T[][] =>
  lists.reduce<T[][]>((ways, list) => ways.flatMap((way) => list.map((item) => [...way, item])), [[]]);

const partialsOf = (query: Query, measurement: number, domain: Domain): PartialWorkload[] => {
  const refuse = (): never => {
    throw new InputError(
      `IDE: measured queries must count rows (entries 0 or 1), got ${describeQuery(query)}; measure a marginal or a prefix instead`,
    );
  };
  const attributes = attributesOf(query);
  const factors = neededFactors(query, domain);
  const cells = factors.reduce((all, { size }) => all * size, 1);
  const ways = factors.map(({ block, size }) => kindOf(block).classes(block, size) ?? refuse());
  const entries = ways.reduce((all, { length }) => all * length, cells);
  if (entries > largest)
    throw new InputError(
      `IDE: a query's partial workloads may list ${largest} cells together, got ${entries} for ${describeQuery(query)}; measure marginals instead`,
    );
  // Rows of one class in every factor either differ somewhere, and are disjoint there, or are the same.
  return product(ways).map((classes): PartialWorkload => {
    const answers: number[] = [];
    const known = new Map<number, number>();
    const memberOf = new Uint32Array(cells);
    const absent: number[] = [];
    for (let cell = 0; cell < cells; cell++) {
      let answer = 0;
      let rest = cell;
      let stride = cells;
      for (let f = 0; f < factors.length; f++) {
        stride /= factors[f].size;
        const row = classes[f][Math.floor(rest / stride)];
        rest %= stride;
        if (row < 0) {
          answer = -1;
          break;
        }
        answer = answer * factors[f].rows + row;
      }
      if (answer < 0) {
        absent.push(cell);
        continue;
      }
      let member = known.get(answer);
      if (member === undefined) {
        member = answers.push(answer) - 1;
        known.set(answer, member);
      }
      memberOf[cell] = member;
    }
    for (const cell of absent) memberOf[cell] = answers.length;
    return { measurement, attributes, answers: Uint32Array.from(answers), memberOf };
  });
};

/** The partial workloads of all measurements. Refuses queries that do more than count rows (means, moments). */
export const partialWorkloads = (measurements: readonly Measurement[], domain: Domain): PartialWorkload[] =>
  measurements.flatMap(({ query, values }, measurement) => {
    const size = answerSize(query, domain);
    if (values.length !== size)
      throw new InputError(`measurement of ${describeQuery(query)}: must have ${size} answers, got ${values.length}`);
    return partialsOf(query, measurement, domain);
  });
