import { cellAt, codesAt } from '../../domain/cell-index.js';
import { type Determiner, determiners } from '../../domain/constraints/determiners.js';
import { type Domain, sizesOf } from '../../domain/domain.js';
import type { LogFactor } from '../../model/graphical/calibrate.js';
import { reordered } from '../../model/graphical/reordered.js';
import { attributeOrder } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';

/*
 * A column that another one determines is merged with it: nothing is said of the two, or of it and others, that cannot be said of the one that determines. So the junction
 * tree has the child in one clique alone, with its parent, where constraints keep them together.
 */

type Names = readonly string[];

/** Columns without those that others among them determine: whatever is said of all of them is said of these. */
export const withoutDetermined = (domain: Domain, names: Names): string[] =>
  names.filter((name) => !determiners(domain).some(({ child, parent }) => child === name && names.includes(parent)));

/** Whether a list of sets has one that holds all of some names. */
const heldIn =
  (sets: readonly Names[]) =>
  (names: Names): boolean =>
    sets.some((set) => names.every((name) => set.includes(name)));

/** The determiner by whose parent a child in these columns can be replaced so that a set which is there holds them; undefined where none can, or none need be. */
const replacement = (domain: Domain, names: Names, isHeld: (names: Names) => boolean): Determiner | undefined =>
  determiners(domain).find(
    ({ child, parent }) => names.includes(child) && isHeld(names.map((name) => (name === child ? parent : name))),
  );

/** The columns as a model on these cliques holds them: without what is determined, and by parents where a clique holds those. */
export const heldAs = (domain: Domain, cliques: readonly Names[]): ((names: Names) => Names) => {
  const all = determiners(domain);
  if (all.length === 0) return (names) => names;
  const isHeld = heldIn(cliques);
  const byParent = (names: Names): Names => {
    const own = isHeld(names) ? undefined : replacement(domain, names, isHeld);
    return own === undefined ? names : byParent(names.map((name) => (name === own.child ? own.parent : name)));
  };
  return (names) => byParent(withoutDetermined(domain, names));
};

/** Numbers of the cells of some columns, taken at what the kept ones determine: row-major in the order of those kept. */
const atDetermined = (domain: Domain, names: Names, kept: Names, values: Float64Array): Float64Array => {
  const [sizes, keptSizes] = [sizesOf(domain, names), sizesOf(domain, kept)];
  const all = determiners(domain);
  return Float64Array.from({ length: keptSizes.reduce((product, size) => product * size, 1) }, (_, cell) => {
    const codes = codesAt(cell, keptSizes);
    const codeOf = (name: string): number => {
      const at = kept.indexOf(name);
      if (at >= 0) return codes[at];
      const { parent, map } = all.find((own) => own.child === name && kept.includes(own.parent))!;
      return map[codes[kept.indexOf(parent)]];
    };
    return values[cellAt(names.map(codeOf), sizes)];
  });
};

/** A measured marginal without columns that others in it determine: cells that cannot be tell nothing. */
const reduced = (domain: Domain, measurement: Measurement): Measurement => {
  const { query, values } = measurement;
  if (query.kind !== 'marginal') return measurement;
  const kept = withoutDetermined(domain, query.attributes);
  if (kept.length === query.attributes.length) return measurement;
  return { ...measurement, query: marginal(...kept), values: atDetermined(domain, query.attributes, kept, values) };
};

/** A measured marginal as groups of one that holds the parent of a column in the place of it. */
const grouped = (domain: Domain, measurement: Measurement, isHeld: (names: Names) => boolean): Measurement => {
  const { query } = measurement;
  if (query.kind !== 'marginal') return measurement;
  const own = replacement(domain, query.attributes, isHeld);
  if (own === undefined) return measurement;
  const [size] = sizesOf(domain, [own.child]);
  return {
    ...measurement,
    query: {
      kind: 'factored',
      factors: query.attributes.map((attribute) =>
        attribute === own.child
          ? { attribute: own.parent, block: { kind: 'regroup', groups: [...own.map], size } }
          : { attribute, block: { kind: 'keep' } },
      ),
    },
  };
};

/** Measurements by the columns that determine others: the same numbers as far as they tell anything, of fewer or smaller sets of columns. */
export const byParents = (domain: Domain, measurements: readonly Measurement[]): readonly Measurement[] => {
  if (determiners(domain).length === 0) return measurements;
  const shorter = measurements.map((measurement) => reduced(domain, measurement));
  const isHeld = heldIn(shorter.map(({ query }) => attributesOf(query)));
  return shorter.map((measurement) => grouped(domain, measurement, isHeld));
};

/** Factors of a model to go on from, each where the cliques of the next fit have a place for it. */
export const factorsByParents = (
  domain: Domain,
  factors: readonly LogFactor[],
  cliques: readonly Names[],
): readonly LogFactor[] => {
  if (determiners(domain).length === 0) return factors;
  const isHeld = heldIn(cliques);
  const order = attributeOrder(domain);
  return factors.map((factor): LogFactor => {
    if (isHeld(factor.attributes)) return factor;
    const names = withoutDetermined(domain, factor.attributes);
    const potential = atDetermined(domain, factor.attributes, names, factor.potential);
    const own = isHeld(names) ? undefined : replacement(domain, names, isHeld);
    if (own === undefined) return { attributes: names, potential };
    const wide = names.map((name) => (name === own.child ? own.parent : name));
    const spread = spreadOver(domain, names, wide, own, potential);
    const attributes = order.filter((name) => wide.includes(name));
    return { attributes, potential: reordered(spread, wide, sizesOf(domain, wide), attributes) };
  });
};

/** Numbers of cells with a child for the cells with its parent in its place. */
const spreadOver = (
  domain: Domain,
  names: Names,
  wide: Names,
  { child, map }: Determiner,
  values: Float64Array,
): Float64Array => {
  const [sizes, wideSizes] = [sizesOf(domain, names), sizesOf(domain, wide)];
  const at = names.indexOf(child);
  return Float64Array.from({ length: wideSizes.reduce((product, size) => product * size, 1) }, (_, cell) => {
    const codes = codesAt(cell, wideSizes);
    codes[at] = map[codes[at]];
    return values[cellAt(codes, sizes)];
  });
};
