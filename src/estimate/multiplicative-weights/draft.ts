import { clusterColumns } from './clusters.js';
import { type CodedColumn, numberRows } from './groups.js';

/*
 * Sets of attributes whose tuples are worth summing rows by, on the way from the rows to many marginals. Attributes are clustered
 * by dependence (tuples of a cluster are few). A marginal touches some clusters. From the top, one cluster after the other, the one
 * with the most tuples first, is left out for the marginals that do without it, until those that are left touch the same
 * clusters; then one cluster after the other is cut down to the attributes that a marginal wants.
 */

/** The distinct tuples of some attributes. */
export interface Draft {
  /** Positions of the attributes, ascending. */
  readonly attributes: readonly number[];
  /** A row for each tuple. */
  readonly first: Uint32Array;
  /** Number of the draft that these were made from; undefined for the rows themselves. */
  readonly from: number | undefined;
  /** The tuple of each of those. */
  readonly map: Uint32Array;
}

/** How much the tuples of a cluster may tell: e to the entropy. */
const clusterTuples = 60;
/** Attributes of all clusters that a marginal touches together; a cluster has two at least. */
const attributesAtOnce = 6;
/** Tuples that are hardly fewer than those they are made from are not worth making. */
const worthwhile = 0.95;

/** Attributes of one cluster that are kept; they are one column of a draft. */
interface Part {
  readonly cluster: number;
  readonly attributes: readonly number[];
}

/** A marginal's wish: the part of each cluster that it touches. */
interface Wish {
  /** Its number. */
  readonly marginal: number;
  readonly parts: readonly Part[];
}

/** Clusters that some marginals touch. */
interface Signature {
  readonly clusters: readonly number[];
  readonly wishes: readonly Wish[];
}

export interface Drafts {
  /** The rows first; every other one was made from an earlier one. */
  readonly drafts: readonly Draft[];
  /** For each marginal, the number of the draft that it is to be made from. */
  readonly sources: readonly number[];
}

/** Drafts for marginals that are given by the positions of their attributes. */
export const draftSets = (
  columns: readonly CodedColumn[],
  length: number,
  marginals: readonly (readonly number[])[],
): Drafts => {
  const used = [...new Set(marginals.flat())].sort((a, b) => a - b);
  const clusters = clustersFor(columns, length, marginals, used);
  const columnOf = partColumns(columns, length);
  const whole = (cluster: number): Part => ({ cluster, attributes: clusters[cluster] });
  const tuples = clusters.map((_, cluster) => columnOf(whole(cluster)).size);
  const { drafts, narrowed } = draftList(used, length, columnOf);
  const sources = new Array<number>(marginals.length).fill(0);

  /** Cuts the parts from `depth` on down to what wishes on the same clusters take of them. */
  const cutDown = (wishes: readonly Wish[], parts: readonly Part[], from: number, depth: number): void => {
    // The last cut is the marginal itself.
    if (depth >= parts.length - 1) {
      for (const { marginal } of wishes) sources[marginal] = from;
      return;
    }
    for (const group of groupsOf(wishes, (wish) => wish.parts[depth].attributes.join())) {
      const cut = parts.map((part, i) => (i === depth ? group[0].parts[depth] : part));
      cutDown(group, cut, narrowed(from, cut, group.length), depth + 1);
    }
  };

  /**
   * Drafts for signatures among the clusters `within` of a draft, which agree on those before `depth`: the ones that do without
   * the next cluster share a draft without it, and so on with the rest.
   */
  const leaveOut = (wanted: readonly Signature[], within: readonly number[], from: number, depth: number): void => {
    if (wanted.length === 0) return;
    if (wanted.length === 1) {
      const [{ clusters: own, wishes }] = wanted;
      const parts = own.map(whole);
      const draft = own.length === within.length ? from : narrowed(from, parts, wishes.length);
      cutDown(wishes, parts, draft, 0);
      return;
    }
    const next = within[depth];
    const holding = wanted.filter(({ clusters: own }) => own.includes(next));
    leaveOut(holding, within, from, depth + 1);
    const lacking = wanted.filter(({ clusters: own }) => !own.includes(next));
    if (lacking.length === 0) return;
    const rest = within.filter((cluster) => cluster !== next);
    leaveOut(lacking, rest, narrowed(from, rest.map(whole), lacking.length), depth);
  };

  const byTuples = (a: number, b: number): number => tuples[b] - tuples[a] || a - b;
  const wishes = wishesOf(marginals, clusters, byTuples);
  leaveOut(signaturesOf(wishes, tuples), [...clusters.keys()].sort(byTuples), 0, 0);
  return { drafts, sources };
};

/** Clusters of the attributes that any marginal uses, each ascending. */
const clustersFor = (
  columns: readonly CodedColumn[],
  length: number,
  marginals: readonly (readonly number[])[],
  used: readonly number[],
): number[][] => {
  const widest = marginals.reduce((most, attributes) => Math.max(most, attributes.length), 1);
  const most = Math.max(2, Math.floor(attributesAtOnce / widest));
  const own = used.map((a) => columns[a]);
  return clusterColumns(own, length, most, clusterTuples).map((members) =>
    members.map((i) => used[i]).sort((a, b) => a - b),
  );
};

/** The rows' tuples of a part as one column, each made once. */
const partColumns = (columns: readonly CodedColumn[], length: number): ((part: Part) => CodedColumn) => {
  const known = new Map<string, CodedColumn>();
  return ({ attributes }) => {
    const key = attributes.join();
    let column = known.get(key);
    if (column === undefined) {
      const own = attributes.map((a) => columns[a]);
      const { ids, count } = numberRows(own, length);
      column = { codes: ids, size: count };
      known.set(key, column);
    }
    return column;
  };
};

/** The list of drafts, in which the rows come first. */
const draftList = (used: readonly number[], length: number, columnOf: (part: Part) => CodedColumn) => {
  const rows: Draft = {
    attributes: used,
    first: Uint32Array.from({ length }, (_, row) => row),
    from: undefined,
    map: new Uint32Array(),
  };
  const drafts = [rows];
  return {
    drafts,
    /** The number of the draft to go on from for `users` others: a new one of these parts, if that is worth it. */
    narrowed: (from: number, parts: readonly Part[], users: number): number => {
      if (users < 2) return from;
      const source = drafts[from].first;
      const columns = parts.map(columnOf).map(({ codes, size }) => ({ codes: pick(codes, source), size }));
      const { ids, first } = numberRows(columns, source.length);
      if (first.length > worthwhile * source.length) return from;
      const attributes = parts.flatMap((part) => part.attributes).sort((a, b) => a - b);
      return drafts.push({ attributes, first: pick(source, first), from, map: ids }) - 1;
    },
  };
};

/** What each marginal of at least one attribute wants, its clusters in the order of `compare`. */
const wishesOf = (
  marginals: readonly (readonly number[])[],
  clusters: readonly (readonly number[])[],
  compare: (a: number, b: number) => number,
): Wish[] => {
  const clusterOf = new Map(clusters.flatMap((members, c) => members.map((a) => [a, c] as const)));
  return marginals.flatMap((attributes, marginal) => {
    if (attributes.length === 0) return [];
    const touched = [...new Set(attributes.map((a) => clusterOf.get(a)!))].sort(compare);
    const partIn = (cluster: number) => clusters[cluster].filter((a) => attributes.includes(a));
    return [{ marginal, parts: touched.map((cluster) => ({ cluster, attributes: partIn(cluster) })) }];
  });
};

/** values[at[0]], values[at[1]], ...: a loop, since the callbacks of `from` cost ten times as much. */
export const pick = (values: ArrayLike<number>, at: Uint32Array): Uint32Array => {
  const picked = new Uint32Array(at.length);
  for (let i = 0; i < at.length; i++) picked[i] = values[at[i]];
  return picked;
};

const groupsOf = <T>(items: readonly T[], keyOf: (item: T) => string): T[][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
};

/**
 * Sets of clusters, those with the most tuples first, and the marginals served by each. A marginal that touches fewer clusters
 * than another goes with the smallest set that holds its own, wanting nothing of the others.
 */
const signaturesOf = (wishes: readonly Wish[], tuples: readonly number[]): Signature[] => {
  const found: { readonly clusters: number[]; readonly wishes: Wish[]; readonly size: number }[] = [];
  const known = new Map<string, number>();
  for (const { marginal, parts } of wishes.toSorted((a, b) => b.parts.length - a.parts.length)) {
    const clusters = parts.map(({ cluster }) => cluster);
    const key = clusters.join();
    let at = known.get(key);
    if (at === undefined) {
      let least = Number.POSITIVE_INFINITY;
      for (const [i, other] of found.entries())
        if (other.size < least && clusters.every((c) => other.clusters.includes(c))) [at, least] = [i, other.size];
      at ??= found.push({ clusters, wishes: [], size: clusters.reduce((p, c) => p * tuples[c], 1) }) - 1;
      known.set(key, at);
    }
    const own = new Map(parts.map((part) => [part.cluster, part]));
    const all = found[at].clusters.map((cluster) => own.get(cluster) ?? { cluster, attributes: [] });
    found[at].wishes.push({ marginal, parts: all });
  }
  return found;
};
