import { dayNumber, dayOfNumber, isoDay, parseDay } from '../../src/domain/attribute/calendar.js';
import type { AskedDate, AskedNumeric } from '../../src/domain/discover/draft.js';
import { ladderOf } from '../../src/domain/discover/ladder.js';
import { looks } from '../../src/domain/discover/looks.js';
import { planEdges } from '../../src/privacy/discovery/plan-edges.js';
import type { Audit } from './case.js';
import { type DiscoverySetting, discoveryAudit, type Rows } from './discovery-audit.js';

/*
 * The exponential mechanism loses all that it is charged where one place gains as much as a unit can move it by and all others, which have nearly all of the chance, lose as much. These tables
 * have `flat` places of one score that lose, and one behind them that gains: the more places, the nearer to the charge, and the rarer the place that tells.
 */

/** What one choice is charged. */
const each = 2.5;

/** A column of so many places, and the text of a value that lies on one of them. */
interface Line {
  readonly spec: AskedNumeric | AskedDate;
  textAt(place: number): string;
}

const integers = (places: number): Line => ({
  spec: { name: 'c0', type: 'integer', edges: 'discover', min: 0, max: places - 2 },
  textAt: String,
});

const firstDay = dayNumber(parseDay('2020-01-01')!);
const dayAt = (place: number): string => isoDay(dayOfNumber(firstDay + place));

const dates = (places: number): Line => ({
  spec: { name: 'c0', type: 'date', edges: 'discover', min: dayAt(0), max: dayAt(places - 2) },
  textAt: dayAt,
});

/** Rows of units with so many each: how many units lie at each place. */
const rowsOf = (
  { textAt }: Line,
  maxRecords: number,
  placed: readonly (readonly [place: number, units: number])[],
): Rows =>
  placed
    .flatMap(([place, units]) => Array.from({ length: units }, () => textAt(place)))
    .flatMap((text, who) => Array.from({ length: maxRecords }, () => [who, text] as const));

type Asked = Pick<DiscoverySetting, 'sides' | 'maxRecords' | 'budget' | 'held' | 'run'>;

/** Rows enough, as a run is told, for all levels that are asked for. */
const manyRows = 10_000;

/** Units that lie where no edge is wanted: a place behind them is never chosen. */
const wall = 12;

/** How many units are to lie beyond the outermost edges of a line, of which one can be taken for `beyond` rows. */
const beyondOf = ({ spec }: Line, levels: number, maxRecords: number): number => {
  const places = ladderOf(spec).length;
  const { beyond } = planEdges({
    rows: manyRows,
    places,
    maxRecords,
    bins: 2 ** levels,
    epsilonOf: () => each,
  });
  return Math.floor(beyond / maxRecords);
};

/** A first edge that one unit fewer below moves from the places before `chosen` to this one, where before it is one too many. The last edge is certain. */
const firstEdge = (lineOf: (places: number) => Line, maxRecords: number, flat: number): Asked => {
  const line = lineOf(flat + 3);
  const beyond = beyondOf(line, 0, maxRecords);
  const [chosen, last] = [flat, flat + 2];
  const placed = (below: number): Rows =>
    rowsOf(line, maxRecords, [
      [-1, below],
      [chosen - 1, 1],
      [chosen, wall],
      [last - 1, wall],
      [last, beyond],
    ]);
  return {
    sides: [placed(beyond), placed(beyond - 1)],
    maxRecords,
    budget: { epsilon: 2 * each },
    held: ([first]) => [first],
    run: async (door) => {
      const [from] = await door.edges(line.spec, 1, { rows: 8 * beyond * maxRecords, bins: 1 });
      return from === chosen ? 1 : 0;
    },
  };
};

/** A last edge that one unit more above moves from the places before `chosen` to this one, where before there is one too few; the unit comes from below. The first edge is certain. */
const lastEdge = (lineOf: (places: number) => Line, maxRecords: number, flat: number): Asked => {
  const line = lineOf(flat + 5);
  const beyond = beyondOf(line, 0, maxRecords);
  const chosen = flat + 2;
  const placed = (below: number, above: number): Rows =>
    rowsOf(line, maxRecords, [
      [-1, below],
      [0, wall],
      [chosen - 2, 1],
      [chosen - 1, beyond - 1],
      [chosen + 3, above],
    ]);
  return {
    sides: [placed(beyond, 0), placed(beyond - 1, 1)],
    maxRecords,
    budget: { epsilon: 2 * each },
    held: ([, last]) => [last],
    run: async (door) => {
      const [, to] = await door.edges(line.spec, 1, { rows: 8 * beyond * maxRecords, bins: 1 });
      return to === chosen ? 1 : 0;
    },
  };
};

/** The outermost edges are certain; between them places halve the units, and one has a unit less below it. The last unit lies below all of them, on one side only or on the other end. */
const halving = (flat: number, replaced: boolean): Asked => {
  const line = integers(flat + 3);
  const beyond = beyondOf(line, 1, 1);
  const last = flat + 2;
  const placed = (below: number, above: number): Rows =>
    rowsOf(line, 1, [
      [-1, beyond + below],
      [0, wall],
      [1, 1],
      [last - 1, wall],
      [last, beyond + above],
    ]);
  return {
    sides: replaced ? [placed(0, 1), placed(1, 0)] : [placed(0, 0), placed(1, 0)],
    maxRecords: 1,
    budget: { epsilon: 3 * each },
    // The outermost edges tell nothing here, and their charges are not held against it.
    held: (charges) => charges.slice(2),
    run: async (door) => {
      const edges = await door.edges(line.spec, 1, { rows: manyRows, bins: 2 });
      return edges[1] === 1 ? 1 : 0;
    },
  };
};

/** What two columns look like: a unit goes from one cell to another in each of them. All four cells tell of it where none is nearer to the other side. */
const looking: Asked & Pick<DiscoverySetting, 'relation' | 'measure'> = {
  sides: [[[1, 'a', 'b']], [[1, '7', '8']]],
  relation: 'replace-one',
  maxRecords: 1,
  budget: { epsilon: 2 },
  measure: 'epsilon',
  run: async (door, columns) => {
    const found = await door.looks(
      columns.map((column) => ({ column, by: 'kind' as const })),
      1,
    );
    const [text, digit] = [looks.kind.indexOf('text'), looks.kind.indexOf('digit')];
    const tells = ({ counts }: { readonly counts: Float64Array }): boolean => counts[text] <= 0 && counts[digit] >= 1;
    return found.every(tells) ? 1 : 0;
  },
};

export const edgesAudits: readonly Audit[] = [
  discoveryAudit({ ...looking, name: 'looks of two columns, replace-one', effort: 0.2 }),
  discoveryAudit({
    ...firstEdge(integers, 1, 60),
    name: 'a first edge, add-remove',
    effort: 0.4,
    relation: 'add-remove',
    measure: 'epsilon',
  }),
  discoveryAudit({
    ...lastEdge(dates, 2, 60),
    name: 'a last day, replace-one, two rows a unit',
    effort: 0.4,
    relation: 'replace-one',
    measure: 'epsilon',
  }),
  discoveryAudit({
    ...halving(100, false),
    name: 'an edge that halves, add-remove',
    effort: 0.4,
    relation: 'add-remove',
    measure: 'epsilon',
  }),
  discoveryAudit({
    ...halving(100, true),
    name: 'an edge that halves, replace-one',
    effort: 0.4,
    relation: 'replace-one',
    measure: 'epsilon',
  }),
  discoveryAudit({
    ...halving(8, true),
    name: 'planted: a unit that is replaced moves halves once',
    relation: 'replace-one',
    measure: 'epsilon',
    effort: 2,
    plant: (parts) => ({ ...parts, relation: 'add-remove' }),
  }),
];
