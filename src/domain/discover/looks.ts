import { parseDay } from '../attribute/calendar.js';
import { plainNumber } from '../attribute/plain-number.js';
import type { AskedDate, AskedNumeric } from './draft.js';
import { placeReader, placesUpTo, sizesOf } from './ladder.js';

const digits = Array.from({ length: 10 }, (_, digit) => String(digit));

/** What a value can look like, all of it public, by what is asked: which of these a column has is told with noise. The fewer cells, the less of it. */
export const looks = {
  kind: ['empty', 'digit', 'number', 'date', 'yes or no', 'text'],
  digit: [...digits, 'none'],
  number: ['whole', 'point', 'comma', 'comma thousands', 'point thousands', 'none'],
  date: ['ISO date', 'D.M.Y', 'D/M/Y', 'M/D/Y', 'D/M/Y or M/D/Y', 'ISO week', 'none'],
} as const;

type LookName = keyof typeof looks;

/** What is asked of a column: in which of some public cells its values are. Of numbers and dates whose range is not known, also how large they are. */
export type Look =
  | { readonly column: string; readonly by: LookName }
  | { readonly column: string; readonly by: 'size'; readonly spec: AskedNumeric | AskedDate };

const words = new Set(['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n']);
const empties = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?', '-', '.']);

const dateForm = (first: string, second: string): string => {
  const [a, b] = [Number(first), Number(second)];
  if (a < 1 || b < 1 || a > 31 || b > 31 || (a > 12 && b > 12)) return 'text';
  return a > 12 ? 'D/M/Y' : b > 12 ? 'M/D/Y' : 'D/M/Y or M/D/Y';
};

/** The most telling of the looks that a value has. */
const formOf = (text: string): string => {
  const trimmed = text.trim();
  if (empties.has(trimmed.toLowerCase())) return 'empty';
  if (/^\d$/.test(trimmed)) return trimmed;
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(trimmed)) return 'comma thousands';
  if (/^[+-]?\d{1,3}(\.\d{3})+(,\d+)$|^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(trimmed)) return 'point thousands';
  if (plainNumber(trimmed) !== undefined)
    return Number.isInteger(Number(trimmed)) && !trimmed.includes('.') ? 'whole' : 'point';
  if (/^[+-]?\d+,\d+$/.test(trimmed)) return 'comma';
  if (parseDay(trimmed) !== undefined) return 'ISO date';
  if (/^\d{4}-?W\d\d$/.test(trimmed)) return 'ISO week';
  const slashed = /^(\d{1,2})\/(\d{1,2})\/\d{4}$/.exec(trimmed);
  if (slashed !== null) return dateForm(slashed[1], slashed[2]);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.\d{4}$/.exec(trimmed);
  if (dotted !== null) return Number(dotted[1]) <= 31 && Number(dotted[2]) <= 12 ? 'D.M.Y' : 'text';
  return words.has(trimmed.toLowerCase()) ? 'yes or no' : 'text';
};

const kindOf = (form: string): string => {
  if (digits.includes(form)) return 'digit';
  for (const kind of ['number', 'date'] as const) if (looks[kind].some((own) => own === form)) return kind;
  return form;
};

/** How many cells a look has. */
export const cellsOfLook = (look: Look): number =>
  look.by === 'size' ? sizesOf(look.spec).length + 2 : looks[look.by].length;

/** The cell of a look that a value is in: for every text one. */
export const lookReader = (look: Look): ((text: string) => number) => {
  if (look.by === 'size') {
    const edges = sizesOf(look.spec);
    const read = placeReader(look.spec);
    return (text) => {
      const at = read(text);
      return at === undefined ? edges.length + 1 : placesUpTo(edges, at);
    };
  }
  const cells: readonly string[] = looks[look.by];
  const numbers = new Map(cells.map((cell, i) => [cell, i]));
  if (look.by === 'kind') return (text) => numbers.get(kindOf(formOf(text)))!;
  // A digit is a whole number like others.
  return (text) => {
    const form = formOf(text);
    const own = look.by === 'number' && digits.includes(form) ? 'whole' : form;
    return numbers.get(own) ?? cells.length - 1;
  };
};
