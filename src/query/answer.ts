import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { kindOf } from './block/block-kinds.js';
import { matrixOf } from './block/matrix-of.js';
import { type Factor, factorsOf, multiplyFactors, neededFactors } from './factors.js';
import { type Holding, holdingCells, notRows } from './holding.js';
import type { Query } from './query.js';

/** Answers saturate here. Half of the exact doubles are left free, so that integer noise added to one is exact too. */
export const answerLimit = 2 ** 52;

/** Rows of each factor, in the order of the factors: answers are row-major over this shape. */
export const answerShape = (query: Query, domain: Domain): number[] =>
  query.kind === 'holding' ? holdingShape(query, domain) : factorsOf(query, domain).map(({ rows }) => rows);

const holdingShape = (query: Holding, domain: Domain): number[] => {
  const { sizes } = holdingCells(query, domain);
  return query.cell === undefined ? [...sizes] : [];
};

/** Number of answers (a double: a query nobody can answer may have 1e100). */
export const answerSize = (query: Query, domain: Domain): number =>
  answerShape(query, domain).reduce((product, rows) => product * rows, 1);

/** The attributes whose marginal, row-major in this order, suffices to answer the query: no marginal does for one that counts households. */
export const attributesOf = (query: Query): string[] => {
  if (query.kind === 'holding') throw notRows(query);
  return query.kind !== 'factored'
    ? [...query.attributes]
    : query.factors.filter(({ block }) => block.kind !== 'sum').map(({ attribute }) => attribute);
};

/** The attributes that any query names, also one that counts households. */
export const attributesIn = (query: Query): readonly string[] =>
  query.kind === 'holding' ? query.attributes : attributesOf(query);

/**
 * The query's answers from the counts of the marginal of `attributesOf(query)`, as a new array. Cost: about one pass
 * over the counts for each factor (for a `matrix`, one for each entry of a column that is not zero); no product is written out.
 *
 * On non-negative integer counts every answer within `answerLimit` of 0 is exact, and one beyond is returned as the limit on its side.
 * Saturating is 1-Lipschitz in each answer, so it raises no sensitivity, whereas an error would tell something about the private
 * counts. Where no entry is negative, an intermediate value that a double cannot hold only ever feeds answers beyond the limit. Where
 * some are, large values may cancel: then all of them are held in a double if the sum of the counts times the largest entry is
 * below 2^52, and otherwise the work is done in big integers (docs/queries.md, "Exact answers").
 */
export const answerFrom = (query: Query, domain: Domain, counts: Float64Array): Float64Array => {
  const factors = neededFactors(query, domain);
  const cells = factors.reduce((product, { size }) => product * size, 1);
  if (counts.length !== cells)
    throw new InputError(`answerFrom: the marginal of the query has ${cells} cells, got ${counts.length} counts`);
  if (mayCancel(factors, counts)) return bigAnswers(factors, counts);
  const answers = multiplyFactors(factors, counts, 'apply');
  for (let i = 0; i < answers.length; i++) answers[i] = withinLimit(answers[i]);
  return answers;
};

/** The nearest number that an answer may be. */
export const withinLimit = (answer: number): number =>
  answer > answerLimit ? answerLimit : answer < -answerLimit ? -answerLimit : answer;

/** Whether values that a double does not hold exactly may cancel to an answer that it does; of whole counts only. */
const mayCancel = (factors: readonly Factor[], counts: Float64Array): boolean => {
  const entries = factors.map(({ block, size }) => kindOf(block).entries(block, size));
  if (entries.every(([low]) => low >= 0)) return false;
  // A sum of many doubles that are not negative is off by far less than the factor of two between the limits.
  const most = entries.reduce((product, [low, high]) => product * Math.max(1, high, -low), 1);
  let records = 0;
  for (let cell = 0; cell < counts.length; cell++) records += counts[cell];
  return !(records * most <= answerLimit) && counts.every(Number.isInteger);
};

/** The answers by big integers, one axis after the other: slow, and for absurd counts only. */
const bigAnswers = (factors: readonly Factor[], counts: Float64Array): Float64Array => {
  let values: bigint[] = Array.from(counts, BigInt);
  let [outer, inner] = [1, values.length];
  for (const { block, size } of factors) {
    inner /= size;
    const matrix = matrixOf(block, size).map((row) => row.map(BigInt));
    const next: bigint[] = [];
    for (let o = 0; o < outer; o++)
      for (const row of matrix)
        for (let i = 0; i < inner; i++)
          next.push(row.reduce((sum, entry, cell) => sum + entry * values[(o * size + cell) * inner + i], 0n));
    values = next;
    outer *= matrix.length;
  }
  return Float64Array.from(values, (value) => withinLimit(Number(value)));
};
