import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import type { AttributeSpec, BooleanSpec, CategorySpec, DateSpec, NumericSpec } from './attribute.js';
import { binEdges, isUnitBins } from './bin-edges.js';
import { parseDay } from './calendar.js';
import { sizeOf } from './cells.js';
import { plainNumber } from './plain-number.js';

/** Throws an `InputError` when declarations are too many together, before any of them is looked at more closely. */
export const checkAttributes = (specs: readonly AttributeSpec[], subject: string): void => {
  if (specs.length > limits.attributes)
    throw new InputError(
      `${subject}: must have at most ${limits.attributes} attributes, got ${specs.length}; take some out`,
    );
  const bins = specs.reduce((sum, spec) => sum + ('bins' in spec && !isUnitBins(spec) ? (spec.bins ?? 0) : 0), 0);
  if (bins > limits.bins)
    throw new InputError(`${subject}: must have at most ${limits.bins} bins together, got ${bins}; use fewer`);
};

/** Codes are at most 32 bits wide. */
const MAX_CELLS = 2 ** 32;
/** Bins are kept as a list of edges; a million of them is past any use. */
const MAX_BINS = 2 ** 20;

/**
 * Throws an `InputError` when a well-formed declaration contradicts itself. `subject` leads the message, such as
 * `schema: attribute "age"`.
 */
export const checkAttribute = (spec: AttributeSpec, subject: string): void => {
  const fail = (text: string): never => {
    throw new InputError(`${subject}: ${text}`);
  };
  if (spec.nullValues !== undefined && spec.nullValues.length > 0 && spec.null !== true) {
    fail('`nullValues` needs a cell to go to; add `"null": true`');
  }
  const repeated = firstRepeated(spec.nullValues ?? []);
  if (repeated !== undefined) fail(`\`nullValues\` must differ, got ${quote(repeated)} twice`);
  if (spec.type === 'category') checkCategory(spec, fail);
  else if (spec.type === 'date') checkDate(spec, fail);
  else if (spec.type === 'boolean') checkBoolean(spec, fail);
  else checkNumeric(spec, fail);
  const size = sizeOf(spec);
  if (size > MAX_CELLS) fail(`must have at most 2^32 cells, got ${size}; use coarser bins`);
};

type Fail = (text: string) => never;

const checkCategory = (spec: CategorySpec, fail: Fail): void => {
  const repeated = firstRepeated(spec.values);
  if (repeated !== undefined) fail(`\`values\` must differ, got ${quote(repeated)} twice`);
  const values = new Set(spec.values);
  const clash = spec.nullValues?.find((text) => values.has(text));
  if (clash !== undefined) {
    fail(`${quote(clash)} stands in both \`values\` and \`nullValues\`; take it out of one`);
  }
  if (spec.other === undefined) return;
  if (spec.other === '') fail('`other` must be a label, got an empty text');
  if (values.has(spec.other)) {
    fail(`\`other\` must not be one of the \`values\`, got ${quote(spec.other)}; choose another label`);
  }
  if (spec.nullValues?.includes(spec.other)) {
    fail(`\`other\` must not be one of the \`nullValues\`, got ${quote(spec.other)}; choose another label`);
  }
};

const checkBoolean = (spec: BooleanSpec, fail: Fail): void => {
  const clash = spec.nullValues?.find((text) => /^\s*(true|false)\s*$/i.test(text));
  if (clash !== undefined) fail(`\`nullValues\` must not say true or false, got ${quote(clash)}`);
};

const checkNumeric = (spec: NumericSpec, fail: Fail): void => {
  if (spec.edges !== undefined) {
    const extra = (['min', 'max', 'bins', 'scale'] as const).find((key) => spec[key] !== undefined);
    if (extra !== undefined) fail(`\`edges\` say it all, so \`${extra}\` must not be given too; take one of them out`);
    checkEdges(spec, spec.edges, fail);
  } else {
    checkRange(spec, fail);
  }
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

const checkDate = (spec: DateSpec, fail: Fail): void => {
  for (const key of ['min', 'max'] as const) {
    if (spec[key].length !== 10 || parseDay(spec[key]) === undefined) {
      fail(`\`${key}\` must be a date such as "2014-03-31", got ${quote(spec[key])}`);
    }
  }
  if (spec.max < spec.min) fail(`\`max\` must not be before \`min\` ${spec.min}, got ${spec.max}`);
  const clash = spec.nullValues?.find((text) => {
    const day = parseDay(text);
    return day !== undefined && text.trim().slice(0, 10) >= spec.min && text.trim().slice(0, 10) <= spec.max;
  });
  if (clash !== undefined) fail(`a date in \`nullValues\` must lie outside \`min\` to \`max\`, got ${quote(clash)}`);
};

const firstRepeated = (texts: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return texts.find((text) => seen.size === seen.add(text).size);
};

const quote = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
