import { includes, union } from '../table-step.js';

/** What some regions share, on which they are kept consistent. */
export interface Separator {
  readonly attributes: readonly number[];
  /** Regions that hold it. */
  readonly regions: readonly number[];
  /** How often its entropy counts: mostly negative. */
  readonly count: number;
}

export interface RegionGraph {
  /** How often the entropy of each region counts, in (0, 1]. */
  readonly weights: readonly number[];
  readonly separators: readonly Separator[];
}

/** A forest of regions with the running intersection property. */
interface RegionForest {
  readonly members: readonly number[];
  /** One for each member that was attached to another. */
  readonly separators: readonly (readonly number[])[];
  /** Attributes of all members. */
  readonly covered: ReadonlySet<number>;
}

const intersection = (a: readonly number[], b: ReadonlySet<number>): number[] => a.filter((each) => b.has(each));

/**
 * Grows a forest from one region: next comes the region that shares most attributes with it, ties to the least used, unless it meets
 * the forest in more than one of its members (it would close a cycle). Where all regions have a junction tree this order finds it
 * (Tarjan and Yannakakis 1984).
 */
const growForest = (regions: readonly (readonly number[])[], first: number, uses: readonly number[]): RegionForest => {
  const members = [first];
  const separators: number[][] = [];
  const covered = new Set(regions[first]);
  const waiting = new Set(regions.map((_, index) => index));
  waiting.delete(first);
  while (waiting.size > 0) {
    let best = -1;
    let most = -1;
    for (const index of waiting) {
      const shared = intersection(regions[index], covered).length;
      if (shared > most || (shared === most && uses[index] < uses[best])) [best, most] = [index, shared];
    }
    waiting.delete(best);
    const separator = intersection(regions[best], covered);
    // What is attached to nothing starts a tree of its own; the order never joins two trees later.
    if (separator.length > 0) {
      if (!members.some((member) => includes(regions[member], separator))) continue;
      separators.push(separator);
    }
    members.push(best);
    for (const attribute of regions[best]) covered.add(attribute);
  }
  return { members, separators, covered };
};

/**
 * Regions (attribute sets, none within another), all that two of them share, and the counts of tree-reweighted belief propagation
 * (Wainwright, Jaakkola and Willsky 2005) for hypertrees: forests are grown, each from a region that none has used yet, until all
 * are used; a forest's entropy is that of its regions less that of its separators plus that of attributes it leaves out, which is at
 * least the entropy of the distribution and concave; the counts are the average over the forests.
 */
export const regionGraph = (regions: readonly (readonly number[])[]): RegionGraph => {
  const counts = new Map<string, { attributes: readonly number[]; count: number }>();
  const note = (attributes: readonly number[], count: number): void => {
    const key = attributes.join();
    counts.set(key, { attributes, count: (counts.get(key)?.count ?? 0) + count });
  };
  regions.forEach((a, i) => {
    const held = new Set(a);
    for (const b of regions.slice(i + 1)) {
      const shared = intersection(b, held);
      if (shared.length > 0) note(shared, 0);
    }
  });
  const uses = regions.map(() => 0);
  let forests = 0;
  for (let first = 0; first >= 0 && regions.length > 0; first = uses.indexOf(0)) {
    const { members, separators, covered } = growForest(regions, first, uses);
    forests++;
    for (const member of members) uses[member]++;
    for (const separator of separators) note(separator, -1);
    for (const attribute of union(...regions)) if (!covered.has(attribute)) note([attribute], 1);
  }
  return {
    weights: uses.map((use) => use / forests),
    separators: [...counts.values()].map(({ attributes, count }) => ({
      attributes,
      regions: regions.flatMap((region, index) => (includes(region, attributes) ? [index] : [])),
      count: count / forests,
    })),
  };
};
