import { parseDay } from '../attribute/calendar.js';
import { plainNumber } from '../attribute/plain-number.js';

/** What a value can look like, all of it public: which of these a column has is asked of it with noise. */
export const forms = [
  'empty',
  ...Array.from({ length: 10 }, (_, digit) => String(digit)),
  'whole',
  'point',
  'comma',
  'comma thousands',
  'point thousands',
  'ISO date',
  'D.M.Y',
  'D/M/Y',
  'M/D/Y',
  'D/M/Y or M/D/Y',
  'ISO week',
  'yes or no',
  'text',
] as const;

export type Form = (typeof forms)[number];

const numberOf = new Map<string, number>(forms.map((form, i) => [form, i]));
const words = new Set(['true', 'false', 't', 'f', 'yes', 'no', 'y', 'n']);
const empties = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?', '-', '.']);

const dateForm = (first: string, second: string): Form => {
  const [a, b] = [Number(first), Number(second)];
  if (a < 1 || b < 1 || a > 31 || b > 31 || (a > 12 && b > 12)) return 'text';
  return a > 12 ? 'D/M/Y' : b > 12 ? 'M/D/Y' : 'D/M/Y or M/D/Y';
};

const formName = (text: string): string => {
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

/** The number of the form that a value has: for every text one. */
export const formOf = (text: string): number => numberOf.get(formName(text))!;
