import { months, sexes, weekdays } from './code-lists.js';
import type { AskedNumeric, DraftAttribute } from './draft.js';

/** A guess and why, from the name of a column alone. */
export interface Guess {
  readonly spec: DraftAttribute;
  readonly why: string;
}

/** The words of a name: "dateOfBirth", "date_of_birth" and "Date of birth" are three ways to say one thing. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

type Rule = readonly [
  test: (words: readonly string[], text: string) => boolean,
  spec: (name: string) => DraftAttribute,
  why: string,
];

const has =
  (...any: readonly string[]) =>
  (words: readonly string[]): boolean =>
    words.some((word) => any.includes(word));

/** Whether a name begins as questions do: "is_married", "hasCar". */
const asks = ([first, ...others]: readonly string[]): boolean => ['is', 'has'].includes(first) && others.length > 0;

const numbers =
  (type: AskedNumeric['type'], range: Pick<AskedNumeric, 'min' | 'max'> = {}) =>
  (name: string): DraftAttribute => ({ name, type, edges: 'discover', ...range });

const words = (name: string): DraftAttribute => ({ name, type: 'category', values: 'discover' });

/** First the columns that must not be released, then those whose values everybody knows, then wide ranges, then what is a number or a word at least. */
const rules: readonly Rule[] = [
  [
    (words) =>
      has('id', 'uuid', 'guid', 'ssn', 'passport', 'iban')(words) ||
      (/^(.*[a-z])?id$/.test(words.join('')) && words.length === 1 && words[0].length <= 6),
    (name) => ({ name, type: 'id' }),
    'an id: never released',
  ],
  [
    has(
      'name',
      'surname',
      'firstname',
      'lastname',
      'email',
      'mail',
      'phone',
      'address',
      'street',
      'comment',
      'comments',
      'note',
      'notes',
      'remark',
      'description',
      'ticket',
    ),
    (name) => ({ name, type: 'text' }),
    'free text: never released',
  ],
  [has('key', 'token', 'hash', 'url'), (name) => ({ name, type: 'key' }), 'a key: never released'],
  [asks, (name) => ({ name, type: 'boolean', null: true }), 'yes or no'],
  // "day_of_week" is no date, and "birth_weight" and "country of birth" are none of birth.
  [
    (words) => has('weekday', 'dayofweek')(words) || (has('day')(words) && has('week')(words)),
    (name) => ({ name, type: 'category', values: [...weekdays], other: 'other', ordered: true, null: true }),
    'days of the week by name',
  ],
  [
    (words) =>
      has('dob', 'birthday', 'birthdate', 'geburtsdatum', 'geburtstag')(words) ||
      ['birth', 'born'].includes(words.join(' ')) ||
      (has('birth')(words) && has('date', 'day')(words)),
    (name) => ({ name, type: 'date', edges: 'discover', min: '1900-01-01', max: '2030-12-31' }),
    'a day of birth: from 1900 on',
  ],
  [has('date', 'day', 'datum', 'when'), (name) => ({ name, type: 'date', edges: 'discover' }), 'dates'],
  [has('year', 'jahr', 'annee'), numbers('integer', { min: 1900, max: 2100 }), 'years from 1900 to 2100'],
  [
    (words) => has('age', 'alter', 'edad')(words) && !has('group', 'band', 'class', 'range')(words),
    numbers('integer', { min: 0, max: 120 }),
    'years of age from 0 to 120',
  ],
  [has('sex', 'gender', 'geschlecht'), words, `a few words such as ${sexes.join(', ')}`],
  [
    has('month', 'monat'),
    (name) => ({ name, type: 'category', values: [...months], other: 'other', ordered: true, null: true }),
    'months by name',
  ],
  [has('percent', 'pct', 'percentage'), numbers('number', { min: 0, max: 100 }), 'percentages from 0 to 100'],
  [has('latitude', 'lat'), numbers('number', { min: -90, max: 90 }), 'degrees from -90 to 90'],
  [has('longitude', 'lon', 'lng'), numbers('number', { min: -180, max: 180 }), 'degrees from -180 to 180'],
  [has('zip', 'zipcode', 'postcode', 'postal', 'plz'), words, 'codes of places'],
  [
    has('country', 'nationality', 'citizenship'),
    words,
    'names or codes of countries; @countries lists the ISO codes of two letters',
  ],
  [
    has('state', 'region', 'province', 'county', 'city', 'town', 'district', 'language', 'currency', 'color', 'colour'),
    words,
    'words of a list',
  ],
  [
    (names) =>
      has('status', 'type', 'category', 'kind', 'class', 'group', 'occupation', 'job', 'marital', 'race')(names) ||
      has('ethnicity', 'education', 'religion', 'industry', 'sector', 'department', 'diagnosis', 'relationship')(names),
    words,
    'words of a list',
  ],
  [
    (names) =>
      has('income', 'salary', 'wage', 'price', 'cost', 'amount', 'balance', 'revenue', 'fare', 'fee', 'rent')(names) ||
      has('weight', 'height', 'length', 'width', 'bmi', 'temperature', 'distance', 'area', 'rate', 'ratio')(names),
    numbers('number'),
    'numbers; give a range where you know one',
  ],
  [
    has('count', 'quantity', 'children', 'persons', 'rooms', 'visits'),
    numbers('integer'),
    'whole numbers; give a range where you know one',
  ],
];

/** What a column is taken for by its name; undefined where the name says nothing. */
export const guessColumn = (name: string): Guess | undefined => {
  const words = wordsOf(name);
  const rule = rules.find(([test]) => test(words, name));
  return rule && { spec: rule[1](name), why: rule[2] };
};
