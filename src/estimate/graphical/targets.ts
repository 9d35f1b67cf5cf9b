import { type Domain, sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { reordered } from '../../model/graphical/reordered.js';
import type { Measurement } from '../../privacy/measurement.js';
import { answerSize, attributesOf } from '../../query/answer.js';
import { kindOf } from '../../query/block/block-kinds.js';
import { neededFactors } from '../../query/factors.js';
import type { DenseQuery, Query } from '../../query/query.js';
import { residualPart, residualSizes } from '../../query/residual.js';
import { varianceOf } from '../total/estimate-total.js';

/** Answers to fit, all with noise of one variance, that follow from the marginal of one clique. */
export interface Target {
  /** Index of the clique. */
  readonly clique: number;
  /** Undefined for the marginal itself; otherwise the query with its factors in the order of the clique's attributes. */
  readonly query: Query | undefined;
  /** Row-major in the order of the clique's attributes. */
  readonly values: Float64Array;
  readonly variance: number;
  /** The noise's own scale: b of Laplace noise, the standard deviation of Gaussian noise. */
  readonly scale: number;
  /** A bound, attained, on the squares of a record's entries in the query: 1 for a marginal. */
  readonly reach: number;
  /** How many numbers the answers tell: as many as they are, and fewer for a residual. */
  readonly dimensions: number;
}

/** One name for a set of attributes, in whatever order. */
export const cliqueKey = (attributes: readonly string[]): string => JSON.stringify([...attributes].sort());

/** The distinct sets of attributes, in order of first appearance. */
export const distinctCliques = (lists: readonly (readonly string[])[]): string[][] => {
  const found = new Map<string, string[]>();
  for (const list of lists) {
    const key = cliqueKey(list);
    if (!found.has(key)) found.set(key, [...list]);
  }
  return [...found.values()];
};

/** Noise that is taken to be there when an answer is exact: small beside all others, so that it decides, but finite. */
const exactPart = 1e-4;

/**
 * What to fit, in the order of the cliques' attributes. Measurements of one marginal are merged by inverse variance when the loss
 * is squared, for which that loses nothing but `constant`, the part of the sum of squares that no fit can lessen.
 */
export const targetsOf = (
  domain: Domain,
  measurements: readonly Measurement[],
  cliques: readonly (readonly string[])[],
  merge: boolean,
): { targets: Target[]; constant: number } => {
  const known = new Map(cliques.map((clique, index) => [cliqueKey(clique), index]));
  const noisy = measurements.map(varianceOf).filter((variance) => variance > 0);
  const least = (noisy.length === 0 ? 1 : Math.min(...noisy)) * exactPart;
  const targets = measurements.map((measurement) => {
    const { query, noise } = measurement;
    const expected = answerSize(query, domain);
    const { values } = measurement;
    if (values.length !== expected || !values.every(Number.isFinite))
      throw new InputError(
        `measurement of ${attributesOf(query).join(', ')}: must have ${expected} finite values, got ${values.length}`,
      );
    const clique = known.get(cliqueKey(attributesOf(query)))!;
    const variance = varianceOf(measurement) || least;
    return {
      ...inOrder(domain, query, values, cliques[clique]),
      clique,
      variance,
      scale: noise.scale || Math.sqrt(least),
      dimensions: values.length * residualPart(query, domain),
    };
  });
  return merge ? merged(targets) : { targets, constant: 0 };
};

const inOrder = (
  domain: Domain,
  query: Query,
  values: Float64Array,
  attributes: readonly string[],
): Pick<Target, 'query' | 'values' | 'reach'> => {
  const factors = neededFactors(query, domain);
  const reach =
    residualSizes(query, domain) === undefined
      ? factors.reduce((product, { block, size }) => product * Number(kindOf(block).profile(block, size).l2Squared), 1)
      : residualPart(query, domain);
  if (query.kind === 'dense') return { query: denseInOrder(domain, query, attributes), values, reach };
  const axes = factors.map((factor) => factor.attributes[0]);
  if (factors.every(({ block }) => block.kind === 'keep'))
    return { query: undefined, values: reordered(values, axes, sizesOf(domain, axes), attributes), reach: 1 };
  const rows = factors.map((factor) => factor.rows);
  const sorted = attributes.map((name) => factors[axes.indexOf(name)]);
  const own: Query = {
    kind: 'factored',
    factors: sorted.map(({ attributes: [attribute], block }) => ({ attribute, block })),
  };
  return { query: own, values: reordered(values, axes, rows, attributes), reach };
};

/** The same answers from the marginal of the same attributes in another order. */
const denseInOrder = (domain: Domain, query: DenseQuery, attributes: readonly string[]): DenseQuery => {
  const sizes = sizesOf(domain, query.attributes);
  const inOrderOf = (row: readonly number[]): number[] =>
    Array.from(reordered(Float64Array.from(row), query.attributes, sizes, attributes));
  return { kind: 'dense', attributes, rows: query.rows.map(inOrderOf) };
};

const merged = (targets: readonly Target[]): { targets: Target[]; constant: number } => {
  const kept: Target[] = [];
  const byClique = new Map<number, Target[]>();
  for (const target of targets)
    if (target.query !== undefined) kept.push(target);
    else byClique.set(target.clique, [...(byClique.get(target.clique) ?? []), target]);
  let constant = 0;
  for (const [clique, same] of byClique) {
    const precision = same.reduce((sum, { variance }) => sum + 1 / variance, 0);
    const variance = 1 / precision;
    const values = new Float64Array(same[0].values.length);
    for (const target of same)
      for (let i = 0; i < values.length; i++) values[i] += (target.values[i] * variance) / target.variance;
    if (same.length > 1)
      for (const target of same)
        for (let i = 0; i < values.length; i++) constant += (target.values[i] - values[i]) ** 2 / target.variance;
    kept.push({
      clique,
      query: undefined,
      values,
      variance,
      scale: Math.sqrt(variance),
      reach: 1,
      dimensions: values.length,
    });
  }
  return { targets: kept, constant };
};
