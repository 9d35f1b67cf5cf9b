import * as v from 'valibot';
import type { Random } from '../../../random/random.js';
import { uniform, uniformInteger } from '../../../random/uniform.js';
import { learnNumeric } from '../../learn/learn-numeric.js';
import { isMadeOf, type LearnedAttribute } from '../../learn/summary.js';
import type { NumericSpec, OpenEnds, SpecOf } from '../attribute.js';
import { binCount, binEdges, binOf, isUnitBins, numericEnds, numericReach } from '../bin-edges.js';
import {
  cellsBelow,
  closed,
  isOpenAbove,
  isOpenBelow,
  openCount,
  openText,
  withOpenEdges,
  withOpenLabels,
} from '../open-ends.js';
import { plainNumber } from '../plain-number.js';
import { type AttributeKind, type Drawing, type Encoder, nullTexts, type OutsideCells, withNull } from './kind.js';

/** Bins are kept as a list of edges; a million of them is past any use. */
const MAX_BINS = 2 ** 20;

type Fail = (text: string) => never;

const check = (spec: NumericSpec, fail: Fail): void => {
  if (spec.edges !== undefined) {
    const extra = (['min', 'max', 'bins', 'scale'] as const).find((key) => spec[key] !== undefined);
    if (extra !== undefined) fail(`\`edges\` say it all, so \`${extra}\` must not be given too; take one of them out`);
    checkEdges(spec, spec.edges, fail);
  } else {
    checkRange(spec, fail);
  }
  const room = openable(spec);
  if ((isOpenBelow(spec) && !isOpenBelow({ open: room })) || (isOpenAbove(spec) && !isOpenAbove({ open: room })))
    fail('`open` needs numbers beyond the bins that can be told from them; move the bins or take it out');
  // Otherwise a value drawn from a bin could read back as empty.
  if (spec.nullValues?.some((text) => isInside(spec, plainNumber(text)))) {
    fail('a number in `nullValues` must lie outside the bins; move the bins or take it out');
  }
};

const isInside = (spec: NumericSpec, value: number | undefined): boolean => {
  if (value === undefined) return false;
  const low = spec.edges?.[0] ?? spec.min!;
  const high = spec.edges?.[spec.edges.length - 1] ?? spec.max!;
  return value >= low && value <= high;
};

const checkEdges = (spec: NumericSpec, edges: readonly number[], fail: Fail): void => {
  if (edges.length - 1 > MAX_BINS) fail(`must have at most ${MAX_BINS} bins, got ${edges.length - 1}`);
  const fraction = spec.type === 'integer' ? edges.find((edge) => !Number.isSafeInteger(edge)) : undefined;
  if (fraction !== undefined) fail(`\`edges\` of integers must be whole numbers within 2^53, got ${fraction}`);
  const drop = edges.findIndex((edge, i) => i > 0 && !(edge > edges[i - 1]));
  if (drop > 0) fail(`\`edges\` must increase, got ${edges[drop]} after ${edges[drop - 1]}`);
  if (spec.type === 'integer' && edges[edges.length - 1] - edges[0] > 2 ** 53) fail('`edges` must span at most 2^53');
};

const checkRange = (spec: NumericSpec, fail: Fail): void => {
  const { type, min, max, bins, scale } = spec;
  if (min === undefined || max === undefined) {
    throw fail(`needs \`edges\`, or \`min\` and \`max\`${type === 'number' ? ' with `bins`' : ''}`);
  }
  if (type === 'number' && bins === undefined) fail('needs `bins` besides `min` and `max`, or `edges`');
  if (bins === undefined && scale !== undefined) fail('`scale` says how to space `bins`, so it needs `bins` too');
  const odd = type === 'integer' ? [min, max].find((value) => !Number.isSafeInteger(value)) : undefined;
  if (odd !== undefined) fail(`\`min\` and \`max\` of integers must be whole numbers within 2^53, got ${odd}`);
  // One integer alone is a range; one number alone is not.
  if (type === 'integer' ? max < min : max <= min) fail(`\`max\` must be above \`min\` ${min}, got ${max}`);
  if (type === 'integer' && max - min >= 2 ** 53) fail('`min` to `max` must span at most 2^53 integers');
  if (scale === 'log' && min <= 0) fail(`\`scale\` "log" needs a \`min\` above 0, got ${min}`);
  if (isUnitBins(spec) || bins === undefined) return;
  if (bins > MAX_BINS) fail(`\`bins\` must be at most ${MAX_BINS}, got ${bins}`);
  if (type === 'integer' && bins > max - min + 1) {
    fail(`\`bins\` must be at most the ${max - min + 1} integers from \`min\` to \`max\`, got ${bins}`);
  }
  const edges = binEdges(spec);
  if (edges.some((edge, i) => i > 0 && !(edge > edges[i - 1]))) {
    fail(`\`bins\` must be few enough for doubles to tell the edges apart, got ${bins}`);
  }
};

/** The ends beyond which there are numbers to draw. */
const openable = (spec: NumericSpec): OpenEnds | undefined => {
  const [from, to] = numericReach(spec);
  const { first, last } = numericEnds(spec);
  const isThere = (x: number): boolean => (spec.type === 'integer' ? Number.isSafeInteger(x) : Number.isFinite(x));
  const below = from < first && isThere(from);
  const above = to > last && isThere(to);
  return below && above ? 'both' : below ? 'below' : above ? 'above' : undefined;
};

/** The declaration with a cell for what lies beyond each end that can have one. */
const opened = <S extends NumericSpec>(spec: S): S => {
  const open = openable(spec);
  return open === undefined ? spec : { ...spec, open };
};

const encoder = (spec: NumericSpec, { empty, unknown, below, above }: OutsideCells): Encoder => {
  const nulls = nullTexts(spec);
  // A null text that spells a number stands for that number however it is written: -9, "-9" and "-9.0".
  const nullNumbers = new Set((spec.nullValues ?? []).map(plainNumber).filter((value) => value !== undefined));
  const bin = isUnitBins(spec) ? unitBin(spec) : edgeBin(binEdges(spec));
  const { first, last } = numericEnds(spec);
  const offset = cellsBelow(spec);
  const place = (x: number): number => (x < first ? below : x > last ? above : offset + bin(x));
  const whole = spec.type === 'integer';
  // Where there is no null cell and yet a place, the nearest place of a fraction is that of the integer below it.
  const isClipped = spec.null !== true && unknown >= 0;
  const isFraction = (x: number): boolean => whole && x % 1 !== 0 && Number.isFinite(x); // infinities are beyond
  const ofNumber = (x: number): number => {
    if (nullNumbers.size > 0 && nullNumbers.has(x)) return empty;
    if (isFraction(x)) return isClipped ? place(Math.floor(x)) : unknown;
    return place(x);
  };
  return (value) => {
    if (typeof value === 'number') return Number.isNaN(value) ? empty : ofNumber(value);
    if (typeof value === 'string') {
      const x = plainNumber(value);
      if (x !== undefined) return ofNumber(x);
      return nulls.has(value.trim()) ? empty : unknown;
    }
    if (typeof value === 'bigint') return ofNumber(Number(value));
    return value === null || value === undefined ? empty : unknown;
  };
};

const unitBin = (spec: NumericSpec) => {
  const min = spec.min!;
  const last = binCount(spec) - 1;
  return (x: number): number => (x <= min ? 0 : Math.min(x - min, last));
};

const edgeBin = (edges: Float64Array) => (x: number) => binOf(edges, x);

const drawing = (spec: NumericSpec, random: Random): Drawing => {
  const { first, last } = numericEnds(spec);
  const [least, most] = [isOpenBelow(spec) ? -Infinity : first, isOpenAbove(spec) ? Infinity : last];
  const isThere = spec.type === 'integer' ? Number.isSafeInteger : Number.isFinite;
  const [offset, end] = [cellsBelow(spec), cellsBelow(spec) + binCount(spec)];
  const inside = drawer(spec, random);
  const beyond = openCount(spec) === 0 ? undefined : openDrawer(spec, random);
  return {
    draw: (cell) => (cell >= offset && cell < end ? inside(cell - offset) : beyond!(cell < offset)),
    write: (value) => value,
    read: (value) => {
      const x = typeof value === 'string' ? plainNumber(value) : Number(value) + 0;
      return x !== undefined && isThere(x) && x >= least && x <= most ? x : undefined;
    },
  };
};

/** Draws beyond the first or the last bin, and nothing that would read back as empty. */
const openDrawer = (spec: NumericSpec, random: Random): ((isBelow: boolean) => number) => {
  const [from, to] = numericReach(spec);
  const { first, last } = numericEnds(spec);
  const nulls = new Set((spec.nullValues ?? []).map(plainNumber));
  if (spec.type === 'integer')
    return (isBelow) => {
      // Numbers that mean "empty" are few: the next one outwards that means itself.
      let x = isBelow
        ? first - 1 - uniformInteger(random, first - from)
        : last + 1 + uniformInteger(random, to - last - 1);
      while (nulls.has(x)) x += isBelow ? -1 : 1;
      return x;
    };
  return (isBelow) => {
    const [edge, far] = isBelow ? [first, from] : [last, to];
    let x = edge + (far - edge) * uniform(random);
    // The edge itself lies inside.
    while (x === edge || nulls.has(x)) x = x === edge ? far : (x + edge) / 2;
    return x;
  };
};

/** Draws from bins, counted without open ends. */
const drawer = (spec: NumericSpec, random: Random): ((cell: number) => number) => {
  if (isUnitBins(spec)) return (cell) => spec.min! + cell;
  const edges = binEdges(spec);
  if (spec.type === 'integer') {
    return (cell) => edges[cell] + uniformInteger(random, edges[cell + 1] - edges[cell]);
  }
  return (cell) => {
    const low = edges[cell];
    const high = edges[cell + 1];
    const u = uniform(random);
    const width = high - low;
    const x = Number.isFinite(width) ? low + width * u : low * (1 - u) + high * u;
    // Rounding may land on the upper edge, which belongs to the next bin.
    return x >= low && x < high ? x : low;
  };
};

/** The quantity that a text spells. Leading zeros are the mark of a code. */
const quantity = (text: string): number | undefined => {
  const x = plainNumber(text);
  return x === undefined || /^\s*[+-]?0\d/.test(text) ? undefined : x;
};

/** Whether a text that spells a number spells a whole one. */
const isWhole = (text: string): boolean => !/[.eE]/.test(text);

const finite = v.pipe(v.number(), v.finite());

const binsText = ({ edges, min, max, bins, scale }: NumericSpec): string => {
  if (edges) return `${edges[0]} to ${edges[edges.length - 1]} in ${edges.length - 1} bins`;
  return `${min} to ${max}${bins === undefined ? '' : ` in ${bins} ${scale === 'log' ? 'log ' : ''}bins`}`;
};

/** Infinite where an end is open. */
const lineEdges = (spec: NumericSpec): Float64Array => withOpenEdges(spec, binEdges(spec));

/** What integers and numbers have in common. */
const numeric = {
  title: 'numbers',
  entries: {
    edges: v.exactOptional(v.pipe(v.array(finite), v.minLength(2))),
    min: v.exactOptional(finite),
    max: v.exactOptional(finite),
    bins: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
    scale: v.exactOptional(v.picklist(['linear', 'log'])),
    open: v.exactOptional(v.picklist(['below', 'above', 'both'])),
  },
  check,
  describe: (spec: NumericSpec): string => `${binsText(spec)}${openText(spec)}`,
  cells: (spec: NumericSpec): number => binCount(spec) + openCount(spec),
  other: () => undefined,
  order: (): 'ordered' => 'ordered',
  encoder,
  widen: <S extends NumericSpec>(spec: S): S => withNull(opened(spec)),
  close: closed,
  drawing,
  mapTexts: <S>(spec: S): S => spec,
};

/** Two whole numbers that follow each other are a flag, whose ends are not those of a range. */
const isFlag = (spec: NumericSpec): boolean => isUnitBins(spec) && binCount(spec) === 2;

/** What was learned, with open ends where it has ends: private numbers go on where public ones stop. */
const learnOpen = (learned: LearnedAttribute): LearnedAttribute => {
  const { spec } = learned;
  if (spec === undefined || (spec.type !== 'integer' && spec.type !== 'number') || isFlag(spec)) return learned;
  return { ...learned, spec: opened(spec) };
};

/** Whole numbers, one by one or in bins. */
export const integer: AttributeKind<SpecOf<'integer'>> = {
  ...numeric,
  labels: (spec) => {
    const { first, last } = numericEnds(spec);
    return withOpenLabels(spec, wholeLabels(spec), `below ${first}`, `${last + 1} or more`);
  },
  single: (spec) => {
    if (!isUnitBins(spec)) return undefined;
    const [offset, end] = [cellsBelow(spec), cellsBelow(spec) + binCount(spec)];
    return (cell) => (cell >= offset && cell < end ? spec.min! + cell - offset : undefined);
  },
  line: { edges: lineEdges, reach: numericReach, continuous: false, mean: (from, to) => (from + to - 1) / 2 },
  undeclared: 'not a whole number; correct it, list the text in `nullValues`, or declare the attribute as "number"',
  recognise: (text) => {
    // More digits than a double holds are the mark of a code too.
    const x = isWhole(text) ? quantity(text) : undefined;
    return Number.isSafeInteger(x) ? x : undefined;
  },
  learn: (name, summary, limits) =>
    isMadeOf(summary, 'integer') ? learnOpen(learnNumeric(name, 'integer', summary, limits)) : undefined,
};

const wholeLabels = (spec: NumericSpec): string[] => {
  if (isUnitBins(spec)) return Array.from({ length: binCount(spec) }, (_, i) => String(spec.min! + i));
  const edges = binEdges(spec);
  return Array.from({ length: edges.length - 1 }, (_, i) => range(edges[i], edges[i + 1] - 1));
};

// "-5--1" would be hard to read, so ranges with a negative end are written out.
const range = (low: number, high: number): string =>
  low === high ? String(low) : low < 0 ? `${low} to ${high}` : `${low}-${high}`;

/** Any numbers, in bins. */
export const number: AttributeKind<SpecOf<'number'>> = {
  ...numeric,
  labels: (spec) => {
    const edges = binEdges(spec);
    const last = edges.length - 2;
    const labels = Array.from({ length: last + 1 }, (_, i) => `[${edges[i]}, ${edges[i + 1]}${i === last ? ']' : ')'}`);
    return withOpenLabels(spec, labels, `below ${edges[0]}`, `above ${edges[last + 1]}`);
  },
  single: () => undefined,
  line: { edges: lineEdges, reach: numericReach, continuous: true, mean: (from, to) => (from + to) / 2 },
  undeclared: 'not a plain decimal number; correct it or list the text in `nullValues`',
  recognise: (text) => {
    const x = isWhole(text) ? undefined : quantity(text);
    if (x === undefined) return undefined;
    // Numbers near the end of doubles leave no room for a round edge beyond them: they clamp, as infinities do.
    return Math.abs(x) <= 1e300 ? x : Number.NaN;
  },
  learn: (name, summary, limits) =>
    isMadeOf(summary, 'integer', 'number') ? learnOpen(learnNumeric(name, 'number', summary, limits)) : undefined,
};
