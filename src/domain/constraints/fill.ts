import type { Random } from '../../random/random.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import { type Box, copyBox, openAtom, truthIn } from './box.js';
import { type Formula, type FormulaAtom, type LinearAtom, placesIn, type RangeAtom, type Side } from './formula.js';
import { type AtMost, inequalities, narrow, operatorOf } from './propagate.js';

/** Boxes that are looked at for one record at most: conditions of a schema need a few. */
const mostLooks = 4000;

/** Finds a record within a box: drawn among what is possible, or, without a generator, the same one every time; undefined where none was found. */
export type FillBox = (box: Box, random?: Random) => Float64Array | undefined;

/**
 * How records are found that do not make the violation true. Open conditions on one column divide the box; open comparisons are taken for true and for
 * false, and narrow it; at the end columns get their values one after the other, and the record is held against the condition
 * itself. Of columns that are in an order, and of one sum, narrowing leaves only values that can be gone on from, so that the search
 * finds a record wherever there is one.
 */
export const boxFiller = (violation: Formula, isWhole: (attribute: number) => boolean): FillBox => {
  const places = placesIn(violation);
  const known = new Map<LinearAtom, Map<string, AtMost[]>>();
  const sumsOf = ({ atom, operator }: Compared): AtMost[] => {
    const own = known.get(atom) ?? new Map<string, AtMost[]>();
    const sums = own.get(operator) ?? inequalities(atom, operator, isWhole);
    known.set(atom, own.set(operator, sums));
    return sums;
  };
  return (box, random) => fill(box, { violation, isWhole, places, sumsOf, random });
};

interface Filling {
  readonly violation: Formula;
  readonly isWhole: (attribute: number) => boolean;
  readonly places: readonly number[];
  readonly sumsOf: (compared: Compared) => AtMost[];
  readonly random: Random | undefined;
}

const fill = (box: Box, { violation, isWhole, places, sumsOf, random }: Filling): Float64Array | undefined => {
  let looks = 0;
  const flips = <T>(items: T[]): T[] => (random !== undefined && items.length > 1 ? shuffled(items, random) : items);

  const search = (
    within: Box,
    settled: ReadonlyMap<FormulaAtom, boolean>,
    linear: readonly Compared[],
  ): Float64Array | undefined => {
    if (++looks > mostLooks) return undefined;
    const sums = linear.flatMap(sumsOf);
    if (!narrow(within, sums, isWhole)) return undefined;
    const truth = truthIn(violation, within, settled);
    if (truth === true) return undefined;
    if (truth !== 'open') return assign(within, linear);
    const atom = openAtom(violation, within, settled)!;
    if (atom.kind === 'range') {
      for (const [low, high] of flips(piecesOf(atom, within, isWhole(atom.attribute)))) {
        const part = copyBox(within);
        part.low[atom.attribute] = low;
        part.high[atom.attribute] = high;
        const found = search(part, settled, linear);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    for (const truthOf of flips([true, false])) {
      const taken = new Map(settled).set(atom, truthOf);
      if (truthIn(violation, within, taken) === true) continue;
      for (const operator of flips(unequal(operatorOf(atom, truthOf)))) {
        const found = search(copyBox(within), taken, [...linear, { atom, operator }]);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };

  const assign = (within: Box, linear: readonly Compared[]): Float64Array | undefined => {
    const sums = linear.flatMap(sumsOf);
    const order = orderOf(
      linear,
      places.filter((place) => within.off[place] === 0),
    );
    const next = (at: number, now: Box): Float64Array | undefined => {
      if (++looks > mostLooks) return undefined;
      if (at === order.length) return truthIn(violation, now) === true || !isPoint(now, order) ? undefined : now.low;
      const place = order[at];
      const [low, high] = [now.low[place], now.high[place]];
      for (const value of candidates(
        low,
        high,
        isWhole(place),
        random,
        exactly(linear, place, order.slice(at + 1), now),
      )) {
        if (value < box.low[place] || value > box.high[place]) continue;
        const part = copyBox(now);
        part.low[place] = value;
        part.high[place] = value;
        if (!narrow(part, sums, isWhole)) continue;
        const found = next(at + 1, part);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return next(0, within);
  };
  return search(copyBox(box), new Map(), []);
};

interface Compared {
  readonly atom: LinearAtom;
  readonly operator: LinearAtom['operator'];
}

const isPoint = ({ low, high }: Box, places: readonly number[]): boolean =>
  places.every((place) => low[place] === high[place]);

const unequal = (operator: LinearAtom['operator']): LinearAtom['operator'][] =>
  operator === '<>' ? ['<', '>'] : [operator];

/** The parts of a stretch where a condition is true throughout, or false. */
const piecesOf = ({ ranges, attribute }: RangeAtom, { low, high }: Box, whole: boolean): [number, number][] => {
  const [from, to] = [low[attribute], high[attribute]];
  const cuts = ranges.flat().filter((cut) => cut > from && cut <= to);
  const edges = [...new Set([from, ...cuts])].sort((a, b) => a - b);
  return edges.map((edge, i) => [edge, i + 1 < edges.length ? (whole ? edges[i + 1] - 1 : below(edges[i + 1])) : to]);
};

/** What stands alone on a side of an equality comes last: it is what the other side adds up to. */
const orderOf = (linear: readonly Compared[], places: readonly number[]): number[] => {
  const last = new Set(linear.flatMap(({ atom, operator }) => (operator === '=' ? [aloneIn(atom)] : [])));
  return [...places.filter((place) => !last.has(place)), ...places.filter((place) => last.has(place))];
};

const isAlone = ({ terms, constant }: Side): boolean => terms.length === 1 && terms[0].times === 1 && constant === 0;

const aloneIn = ({ left, right }: LinearAtom): number | undefined =>
  isAlone(right) ? right.terms[0].attribute : isAlone(left) ? left.terms[0].attribute : undefined;

/** What a column must be exactly, being alone on a side of an equality whose other side is known. */
const exactly = (
  linear: readonly Compared[],
  place: number,
  later: readonly number[],
  box: Box,
): number | undefined => {
  for (const { atom, operator } of linear) {
    if (operator !== '=' || aloneIn(atom) !== place) continue;
    const side = isAlone(atom.right) && atom.right.terms[0].attribute === place ? atom.left : atom.right;
    if (side.terms.some(({ attribute }) => later.includes(attribute) || attribute === place)) continue;
    return sumOf(side, box.low);
  }
  return undefined;
};

/** A sum, added up in its own order as `endsOf` does. */
const sumOf = ({ terms, constant }: Side, values: Float64Array): number => {
  let sum = 0;
  terms.forEach(({ times, attribute }, i) => {
    sum = i === 0 ? times * values[attribute] : sum + times * values[attribute];
  });
  return terms.length === 0 ? constant : constant === 0 ? sum : sum + constant;
};

const candidates = (
  low: number,
  high: number,
  whole: boolean,
  random: Random | undefined,
  exact: number | undefined,
): number[] => {
  // Narrowing leaves a little room around what is exact.
  if (exact !== undefined) return [exact];
  if (low === high) return [low];
  const middle = whole ? Math.floor(low + (high - low) / 2) : low + (high - low) / 2;
  const ends = [low, middle, high];
  if (random === undefined) return ends;
  const drawn = whole
    ? low + uniformInteger(random, Math.min(high - low + 1, 2 ** 53))
    : Math.min(high, Math.max(low, low + (high - low) * uniform(random)));
  return [drawn, ...ends];
};

const shuffled = <T>(items: readonly T[], random: Random): T[] => {
  const list = [...items];
  for (let i = list.length - 1; i > 0; i--) {
    const j = uniformInteger(random, i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
};

const bits = new DataView(new ArrayBuffer(8));

/** The greatest double below a number. */
export const below = (x: number): number => {
  if (!Number.isFinite(x)) return x;
  if (x === 0) return -Number.MIN_VALUE;
  bits.setFloat64(0, x);
  bits.setBigInt64(0, bits.getBigInt64(0) + (x > 0 ? -1n : 1n));
  return bits.getFloat64(0);
};
