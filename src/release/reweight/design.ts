import { cellsOf, type Domain } from '../../domain/domain.js';
import type { Support } from '../../model/support/support.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { residual } from '../../query/residual.js';
import { combinations } from '../../query/workload/combinations.js';
import type { Asked, DesignDoor, DesignOptions, Parted } from './design-options.js';
import { gaussianParts, weighable } from './gaussian-parts.js';
import { laplaceParts } from './laplace-parts.js';
import { withTriples } from './triples.js';
import { learnables } from './worth.js';

/** What is measured together, and each query's part of what is spent on it. */
export interface Design {
  readonly queries: readonly Query[];
  readonly weights: readonly number[];
  /** Pairs and triples among them, and the parts of the budget that go to attributes on their own and to triples. */
  readonly pairs: number;
  readonly triples: number;
  readonly alone: number;
  readonly ofTriples: number;
}

/** Part of the budget for the number of records, before anything else: what noise means depends on it. */
export const totalPart = 0.02;
/** A pair whose part is below this part of an equal one is not measured. */
const negligible = 0.02;

/** All attributes that have more than one cell, and all pairs of them of bounded size. */
export const setsOf = (domain: Domain, maxCells: number): (readonly string[])[] => {
  const names = domain.attributes.filter(({ size }) => size > 1).map(({ name }) => name);
  const pairs = [...combinations(names.length, 2)]
    .map(([a, b]) => [names[a], names[b]])
    .filter((pair) => cellsOf(domain, pair) <= maxCells);
  return [...names.map((name) => [name]), ...pairs];
};

/**
 * What to measure beside a public table: every attribute, and what pairs have beyond them, each with the part of the budget at which what is left to be
 * wrong is least: measuring pays where the public table is likely to be farther off than the noise. Small budgets go to attributes and to small pairs, larger ones to all
 * pairs, the largest to triples as well. Under zCDP these are residuals, each measured once; under pure epsilon, whose Laplace noise goes with no residual, marginals of
 * attributes and pairs, of which attributes have together the best of a few parts.
 */
export const designFor = (door: DesignDoor, prior: Support, options: DesignOptions): Design => {
  const { domain } = door;
  const sets = setsOf(domain, options.maxCells);
  const learned = learnables(prior, sets, options);
  const places = new Map(sets.flatMap((set, i) => (set.length === 1 ? [[set[0], i] as const] : [])));
  const pairs = sets.flatMap((set, i) => (set.length === 2 ? [[...set.map((name) => places.get(name)!), i]] : []));
  const paired = new Set(pairs.flat());
  const groups = [...pairs, ...[...places.values()].filter((i) => !paired.has(i)).map((i) => [i])];
  const measured =
    door.budget.currency === 'pure'
      ? { sets, parts: laplaceParts(door, learned, groups, options) }
      : gaussianDesign(door, prior, { sets, learned, groups }, options);
  const { parts } = measured;
  const kept = parts.flatMap((part, i) => (part > negligible / parts.length ? [i] : []));
  const attributesIn = (i: number): number => measured.sets[i].length;
  const partOf = (attributes: number): number =>
    parts.reduce((sum, part, i) => (attributesIn(i) === attributes ? sum + part : sum), 0);
  return {
    queries: kept.map((i) => queryOf(door, measured.sets[i])),
    weights: kept.map((i) => parts[i]),
    pairs: kept.filter((i) => attributesIn(i) === 2).length,
    triples: kept.filter((i) => attributesIn(i) === 3).length,
    alone: partOf(1),
    ofTriples: partOf(3),
  };
};

const gaussianDesign = (door: DesignDoor, prior: Support, asked: Asked, options: DesignOptions): Parted => {
  const costs = weighable(door, asked.learned, options);
  return (
    withTriples(door, prior, { ...asked, ...costs }, options) ?? {
      sets: asked.sets,
      parts: [...gaussianParts(door.domain, asked.learned, asked.groups, costs)],
    }
  );
};

const queryOf = ({ budget }: DesignDoor, set: readonly string[]): Query =>
  budget.currency === 'pure' ? marginal(...set) : residual(...set);
