import type { BooleanSpec, NumericSpec } from '../../domain/attribute/attribute.js';
import type { AskedColumn, AskedDate, AskedNumeric, AskedSpec } from '../../domain/discover/draft.js';
import { type Look, looks } from '../../domain/discover/looks.js';
import type { ColumnFormat } from '../../domain/format/column-format.js';
import type { NoisyCounts } from '../../privacy/discovery/discovery-door.js';

/** A noisy count that stands out from noise alone. */
const standsOut = 3;

/** The kinds of columns that are asked about further. */
export type Kind = 'digit' | 'number' | 'date' | 'yes or no' | 'text';

/** The noisy count of each cell of a look. */
const countsOf = (by: keyof typeof looks, { counts }: NoisyCounts): ((cell: string) => number) => {
  const cells: readonly string[] = looks[by];
  return (cell) => counts[cells.indexOf(cell)];
};

/** Whether texts beside words for yes and no are more than a slip: f beside m is no "false". */
const hasOthers = (texts: number, rows: number, { deviation }: NoisyCounts): boolean =>
  texts > Math.max(standsOut * deviation, rows / 20);

/** What a column of unknown type is, by what most of its values look like, and about how many of them there are. Some numbers are digits too. */
export const kindFrom = (found: NoisyCounts): { readonly kind: Kind; readonly rows: number } => {
  const of = countsOf('kind', found);
  const numbers = of('digit') + of('number');
  const rows = Math.max(numbers, of('date'), of('yes or no'), of('text'));
  if (rows === of('text')) return { kind: 'text', rows };
  if (rows === of('yes or no'))
    return hasOthers(of('text'), rows, found) ? { kind: 'text', rows: rows + of('text') } : { kind: 'yes or no', rows };
  if (rows === of('date')) return { kind: 'date', rows };
  return { kind: of('digit') > 4 * of('number') ? 'digit' : 'number', rows };
};

/** What is asked next about a column of a kind, if anything. */
export const lookFor = (column: string, kind: Kind): Look | undefined =>
  kind === 'digit' || kind === 'number' || kind === 'date' ? { column, by: kind } : undefined;

/** Dates by what they look like. Slashes that say neither are read with the day first, unless some say the month comes first. */
const dateFormats: readonly (readonly [form: string, format: string | undefined])[] = [
  ['ISO date', undefined],
  ['D.M.Y', 'D.M.YYYY'],
  ['D/M/Y', 'D/M/YYYY'],
  ['M/D/Y', 'M/D/YYYY'],
  ['ISO week', 'YYYY-Www'],
];

const numberFormats: readonly (readonly [form: string, format: ColumnFormat])[] = [
  ['comma', { decimal: ',' }],
  ['comma thousands', { thousands: ',' }],
  ['point thousands', { decimal: ',', thousands: '.' }],
];

/** A column whose kind is known, as a declaration or as what is still to be asked of it, with a word about it. */
export interface Typed {
  readonly spec: AskedSpec | BooleanSpec | NumericSpec;
  readonly note?: string | undefined;
}

type Own = Omit<AskedColumn, 'type'>;

const datesOf = (own: Own, found: NoisyCounts): Typed => {
  const of = countsOf('date', found);
  const slashed = of('D/M/Y or M/D/Y') + of('D/M/Y') + of('M/D/Y');
  const [[form, format]] = dateFormats.toSorted(([a], [b]) => of(b) - of(a));
  const date = slashed > of(form) ? (of('M/D/Y') > of('D/M/Y') ? 'M/D/YYYY' : 'D/M/YYYY') : format;
  const spec: AskedDate = {
    ...own,
    type: 'date',
    edges: 'discover',
    ...(date === undefined ? {} : { written: { date } }),
  };
  return { spec, note: date && `its dates are read as ${date}` };
};

/** The digits that stand out, where they are nearly all of them; otherwise any digit may be. */
const digitsOf = (own: Own, found: NoisyCounts): Typed => {
  const digits = looks.digit.slice(0, 10);
  const of = countsOf('digit', found);
  const sum = (list: readonly string[]): number => list.reduce((all, digit) => all + of(digit), 0);
  const seen = digits.filter((digit) => of(digit) > Math.max(standsOut * found.deviation, sum(digits) / 200));
  const isMost = seen.length > 1 && sum(seen) > 0.9 * sum(digits);
  const [min, max] = isMost ? [Number(seen[0]), Number(seen[seen.length - 1])] : [0, 9];
  return { spec: { ...own, type: 'integer', min, max, null: true }, note: `digits from ${min} to ${max}` };
};

const numbersOf = (own: Own, found: NoisyCounts): Typed => {
  const of = countsOf('number', found);
  const [[form, format]] = numberFormats.toSorted(([a], [b]) => of(b) - of(a));
  const isOdd = of(form) > Math.max(standsOut * found.deviation, of('point'));
  const fractions = Math.max(of('point'), of(form));
  const type = fractions > Math.max(standsOut * found.deviation, of('whole') / 100) ? 'number' : 'integer';
  const spec: AskedNumeric = { ...own, type, edges: 'discover', ...(isOdd ? { written: format } : {}) };
  const words = Object.entries(format).map(([key, sign]) => `${key} ${JSON.stringify(sign)}`);
  return { spec, note: isOdd ? `its numbers are read with ${words.join(' and ')}` : undefined };
};

/** The column of a kind, by the noisy counts of what was asked about it next. */
export const columnOf = ({ type: _, ...own }: AskedColumn, kind: Kind, found: NoisyCounts | undefined): Typed => {
  if (kind === 'text') return { spec: { ...own, type: 'category', values: 'discover' } };
  if (kind === 'yes or no') return { spec: { ...own, type: 'boolean', null: true } };
  if (kind === 'date') return datesOf(own, found!);
  return kind === 'digit' ? digitsOf(own, found!) : numbersOf(own, found!);
};
