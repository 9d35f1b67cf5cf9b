import type { BooleanSpec, NumericSpec } from '../../domain/attribute/attribute.js';
import type { AskedColumn, AskedSpec } from '../../domain/discover/draft.js';
import { type Form, forms } from '../../domain/discover/forms.js';
import type { ColumnFormat } from '../../domain/format/column-format.js';
import type { NoisyCounts } from '../../privacy/discovery/discovery-door.js';

/** What a column of unknown type is taken for, and about how many of its rows have a value. */
export interface Look {
  readonly spec: AskedSpec | BooleanSpec | NumericSpec;
  readonly rows: number;
  readonly note?: string | undefined;
}

/** A noisy count that stands out from noise alone. */
const standsOut = 3;

/** Dates by what they look like. Slashes that say neither are read with the day first, unless some say the month comes first. */
const dateFormats: readonly (readonly [Form, string | undefined])[] = [
  ['ISO date', undefined],
  ['D.M.Y', 'D.M.YYYY'],
  ['D/M/Y', 'D/M/YYYY'],
  ['M/D/Y', 'M/D/YYYY'],
  ['ISO week', 'YYYY-Www'],
];

const numberFormats: readonly (readonly [Form, ColumnFormat])[] = [
  ['comma', { decimal: ',' }],
  ['comma thousands', { thousands: ',' }],
  ['point thousands', { decimal: ',', thousands: '.' }],
];

/** The column's type by the noisy counts of what its values look like. */
export const columnOf = ({ type: _, ...own }: AskedColumn, { counts, deviation }: NoisyCounts): Look => {
  const of = (form: Form): number => Math.max(0, counts[forms.indexOf(form)]);
  const sum = (list: readonly Form[]): number => list.reduce((all, form) => all + of(form), 0);
  const digits = forms.filter((form) => /^\d$/.test(form));
  const either = of('D/M/Y or M/D/Y');
  const dates = sum(dateFormats.map(([form]) => form)) + either;
  const numbers = sum([...digits, 'whole', 'point', ...numberFormats.map(([form]) => form)]);
  const most = Math.max(numbers, dates, of('yes or no'), of('text'));
  if (most === of('text')) return { spec: { ...own, type: 'category', values: 'discover' }, rows: most };
  if (most === of('yes or no')) return { spec: { ...own, type: 'boolean', null: true }, rows: most };
  if (most === dates) {
    const [[, format]] = dateFormats.toSorted(([a], [b]) => of(b) - of(a));
    const slashed = of('M/D/Y') > of('D/M/Y') ? 'M/D/YYYY' : 'D/M/YYYY';
    const isSlashed = either + of('M/D/Y') + of('D/M/Y') > dates / 2;
    const date = isSlashed ? slashed : format;
    const written = date === undefined ? {} : { written: { date } };
    return {
      spec: { ...own, type: 'date', edges: 'discover', ...written },
      rows: most,
      note: date && `its dates are read as ${date}`,
    };
  }
  const isDigit = sum(digits) > 0.9 * numbers;
  const seen = digits.filter((digit) => of(digit) > Math.max(standsOut * deviation, numbers / 200)).map(Number);
  if (isDigit && seen.length > 1)
    return {
      spec: { ...own, type: 'integer', min: Math.min(...seen), max: Math.max(...seen), null: true },
      rows: most,
      note: `digits from ${Math.min(...seen)} to ${Math.max(...seen)}`,
    };
  const [[form, format]] = numberFormats.toSorted(([a], [b]) => of(b) - of(a));
  const isOdd = of(form) > Math.max(standsOut * deviation, of('point'));
  const fractions = of('point') + of('comma') + of('point thousands') + of('comma thousands');
  const type = fractions > Math.max(standsOut * deviation, numbers / 100) ? 'number' : 'integer';
  return {
    spec: { ...own, type, edges: 'discover', ...(isOdd ? { written: format } : {}) },
    rows: most,
    note: isOdd
      ? `its numbers are read with ${Object.entries(format)
          .map(([key, sign]) => `${key} ${JSON.stringify(sign)}`)
          .join(' and ')}`
      : undefined,
  };
};
