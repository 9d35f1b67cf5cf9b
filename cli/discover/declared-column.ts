import { codeLists } from '../../src/advanced.js';
import type { ColumnFormat, DraftAttribute } from '../../src/index.js';

/** A column as a person declared it, and how its values are written, or what could not be understood. */
export type Declared =
  | { readonly spec: DraftAttribute; readonly written?: ColumnFormat | undefined }
  | { readonly problem: string };

export const declareHelp = `Enter          take what stands in brackets
f, m, x        the values, between commas; anything else becomes "other"
@countries     a list that everybody knows: ${Object.keys(codeLists)
  .map((name) => `@${name}`)
  .join(' ')}
0..120         numbers from 0 to 120; whole ones if both ends are: "number 0..120" for others, "0..120 in 24" for the number of bins
2010-01-01..2019-12-31 by month        dates; add how they are written: DD.MM.YYYY, M/D/YYYY, YYYY-Www, excel
yes/no         truth values
discover       ask the private table, with noise, for a part of the budget; "discover values", "discover numbers", "discover dates DD.MM.YYYY" where the kind is known
skip           free text: never released; also "id" and "key"
decimal comma  and "thousands point", "suffix kg", "prefix €" behind numbers say how they are written
`;

const number = '[+-]?\\d+(?:\\.\\d+)?';
const range = new RegExp(`^(?:(number|integer)\\s+)?(${number})\\s*\\.\\.\\s*(${number})(?:\\s+in\\s+(\\d+))?$`);
const dates =
  /^(\d{4}-\d{2}-\d{2})\s*\.\.\s*(\d{4}-\d{2}-\d{2})(?:\s+by\s+(year|quarter|month|week|day))?(?:\s+(\S+))?$/;
const signs: Readonly<Record<string, string>> = { comma: ',', point: '.', space: ' ', apostrophe: "'" };

/** Takes the words about how numbers are written off an answer. */
const splitFormat = (answer: string): { readonly rest: string; readonly written: ColumnFormat } => {
  let rest = answer;
  const written: Record<string, string> = {};
  for (;;) {
    const match = /\s*\b(decimal|thousands)\s+(comma|point|space|apostrophe)$|\s*\b(suffix|prefix)\s+(\S+)$/.exec(rest);
    if (match === null) return { rest, written };
    if (match[1] !== undefined) written[match[1]] = signs[match[2]];
    else written[match[3]] = match[4];
    rest = rest.slice(0, match.index).trim();
  }
};

const withFormat = (spec: DraftAttribute, written: ColumnFormat): Declared =>
  Object.keys(written).length === 0 ? { spec } : { spec, written };

/** What an answer declares of a column; an empty one takes the guess. */
export const declaredColumn = (name: string, typed: string, guess: DraftAttribute): Declared => {
  const answer = typed.trim();
  if (answer === '') return { spec: guess };
  const { rest, written } = splitFormat(answer);
  const words = rest.toLowerCase();
  if (words === 'skip' || words === 'text') return { spec: { name, type: 'text' } };
  if (words === 'id' || words === 'key') return { spec: { name, type: words } };
  if (words === 'yes/no' || words === 'boolean') return { spec: { name, type: 'boolean', null: true } };
  if (words === 'discover') return { spec: { name, type: 'discover' } };
  if (words === 'discover values') return { spec: { name, type: 'category', values: 'discover' } };
  if (words === 'discover numbers') return withFormat({ name, type: 'number', edges: 'discover' }, written);
  if (words.startsWith('discover dates')) {
    const date = rest.slice('discover dates'.length).trim();
    return withFormat({ name, type: 'date', edges: 'discover' }, date === '' ? {} : { date });
  }
  const listed = /^@(\S+)$/.exec(rest)?.[1];
  if (listed !== undefined) {
    const values = codeLists[listed.toLowerCase()];
    return values === undefined
      ? {
          problem: `there is no list @${listed}; there are ${Object.keys(codeLists)
            .map((own) => `@${own}`)
            .join(', ')}`,
        }
      : { spec: { name, type: 'category', values: [...values], other: 'other', null: true } };
  }
  const days = dates.exec(rest);
  if (days !== null) {
    const [, min, max, by, date] = days;
    const spec = { name, type: 'date', by: (by ?? 'year') as 'year', min, max, null: true } as const;
    return max < min
      ? { problem: 'the last day must not be before the first' }
      : withFormat(spec, date === undefined ? {} : { date });
  }
  const numbers = range.exec(rest);
  if (numbers !== null) {
    const [min, max] = [Number(numbers[2]), Number(numbers[3])];
    if (!(min < max)) return { problem: 'the second number must be above the first' };
    const whole = numbers[1] !== 'number' && Number.isInteger(min) && Number.isInteger(max);
    const asked = numbers[4] === undefined ? undefined : Number(numbers[4]);
    const bins = asked ?? (whole && max - min < 32 ? undefined : 20);
    if (asked !== undefined && asked < 1) return { problem: 'there must be at least one bin' };
    const type = whole ? 'integer' : 'number';
    const most = whole && bins !== undefined ? Math.min(bins, max - min + 1) : bins;
    return withFormat({ name, type, min, max, ...(most === undefined ? {} : { bins: most }), null: true }, written);
  }
  if (rest.includes(',')) {
    const values = rest
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '');
    if (new Set(values).size < values.length) return { problem: 'every value must be named once' };
    if (values.length > 0)
      return {
        spec: { name, type: 'category', values, other: values.includes('other') ? '(other)' : 'other', null: true },
      };
  }
  return { problem: 'that was not understood; type ? for what can be said' };
};

/** A declaration in a few words, to be taken or not. */
export const declaredText = (spec: DraftAttribute): string => {
  if (spec.type === 'discover') return 'discover';
  if (spec.type === 'boolean') return 'yes/no';
  if (spec.type === 'category')
    return spec.values === 'discover'
      ? 'discover values'
      : spec.values.slice(0, 4).join(', ') + (spec.values.length > 4 ? ', ...' : '');
  if (spec.type !== 'date' && spec.type !== 'integer' && spec.type !== 'number') return `${spec.type}: never released`;
  const ends = spec.min === undefined || spec.max === undefined ? '' : ` ${spec.min}..${spec.max}`;
  const what = spec.type === 'date' ? 'dates' : 'numbers';
  return 'edges' in spec && spec.edges === 'discover'
    ? `discover ${what}${ends && ` within${ends}`}`
    : `${what}${ends}`;
};
