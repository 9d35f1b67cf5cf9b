/** Scores are counted in parts of a record, so that the step that is added to their sensitivity is small. */
const partsPerRecord = 256;

/** The place with a high score among these: the exponential mechanism. */
export type ChoosePlace = (scores: Float64Array, sensitivity: number) => number;

/** Exact counts between the places of a ladder: `counts[i]` of values below place i and not below place i - 1, the last of those at or above the last place. */
export interface LadderCounts {
  readonly counts: Float64Array;
  readonly maxRecords: number;
  /** Whether a unit may be replaced: then it can leave one half and enter the other. */
  readonly replaces: boolean;
}

/** How many values lie below each place. */
const belowOf = (counts: Float64Array): Float64Array => {
  const below = new Float64Array(counts.length - 1);
  let sum = 0;
  for (let place = 0; place < below.length; place++) {
    sum += counts[place];
    below[place] = sum;
  }
  return below;
};

/**
 * The first and the last edge. The first is the place with at most `beyond` values below it and at least as many below the next one: its score is
 * by how many values it fails that, so that of many places below all values the last is best. The last edge likewise from above. One record moves
 * the numbers by one, all the same way, and a unit that is replaced does not move them further than one that comes or goes: the sensitivity is that of its rows.
 */
const outerEdges = ({ counts, maxRecords }: LadderCounts, beyond: number, choose: ChoosePlace): [number, number] => {
  const below = belowOf(counts);
  const all = below[below.length - 1] + counts[counts.length - 1];
  const scores = (least: (place: number) => number, most: (place: number) => number, from: number, to: number) =>
    Float64Array.from(
      { length: to - from },
      (_, i) => -partsPerRecord * Math.max(0, least(from + i) - beyond, beyond - most(from + i)),
    );
  const above = (place: number): number => all - below[place];
  const sensitivity = partsPerRecord * maxRecords;
  const last = below.length - 1;
  const first = choose(
    scores(
      (place) => below[place],
      (place) => below[place + 1],
      0,
      last,
    ),
    sensitivity,
  );
  const end = choose(
    scores(above, (place) => above(place - 1), first + 1, last + 1),
    sensitivity,
  );
  return [first, first + 1 + end];
};

/** The place that halves the values between two others, or undefined where there is none between. */
const middle = (
  { maxRecords, replaces }: LadderCounts,
  below: Float64Array,
  [from, to]: readonly [number, number],
  ends: { readonly isFirst: boolean; readonly isLast: boolean; readonly all: number },
  choose: ChoosePlace,
): number | undefined => {
  if (to - from < 2) return undefined;
  // What lies beyond the outermost edges belongs to the outermost parts, where it will be counted.
  const low = ends.isFirst ? 0 : below[from];
  const high = ends.isLast ? ends.all : below[to];
  const scores = Float64Array.from({ length: to - from - 1 }, (_, i) => {
    const at = below[from + 1 + i];
    return -partsPerRecord * Math.abs(at - low - (high - at));
  });
  return from + 1 + choose(scores, partsPerRecord * maxRecords * (replaces ? 2 : 1));
};

/**
 * Places of edges, increasing: the outermost ones, and between them `levels` times the middle of every part (Kaplan, Schnapp, Stemmer 2022). Parts of one level share no row, so a
 * level costs as much as one choice.
 */
export const chooseEdges = (
  ladder: LadderCounts,
  { levels, beyond }: { readonly levels: number; readonly beyond: number },
  choose: ChoosePlace,
): number[] => {
  let edges: number[] = outerEdges(ladder, beyond, choose);
  const below = belowOf(ladder.counts);
  const all = below[below.length - 1] + ladder.counts[ladder.counts.length - 1];
  for (let level = 0; level < levels; level++) {
    const next = [edges[0]];
    for (let part = 0; part + 1 < edges.length; part++) {
      const ends = { isFirst: part === 0, isLast: part + 2 === edges.length, all };
      const at = middle(ladder, below, [edges[part], edges[part + 1]], ends, choose);
      if (at !== undefined) next.push(at);
      next.push(edges[part + 1]);
    }
    edges = next;
  }
  return edges;
};
