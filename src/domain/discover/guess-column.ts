import { months, sexes, weekdays } from './code-lists.js';
import type { DraftAttribute } from './draft.js';

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

/** First the columns that must not be released, then those whose values everybody knows, then wide ranges. */
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
  [
    (words) => has('birth', 'dob', 'birthday', 'birthdate', 'born')(words) && !has('year')(words),
    (name) => ({ name, type: 'date', edges: 'discover', min: '1900-01-01', max: '2030-12-31' }),
    'a day of birth: from 1900 on',
  ],
  [has('date', 'day', 'datum', 'when'), (name) => ({ name, type: 'date', edges: 'discover' }), 'dates'],
  [
    has('year', 'jahr', 'annee'),
    (name) => ({ name, type: 'integer', edges: 'discover', min: 1900, max: 2100 }),
    'years from 1900 to 2100',
  ],
  [
    has('age', 'alter', 'edad'),
    (name) => ({ name, type: 'integer', edges: 'discover', min: 0, max: 120 }),
    'years of age from 0 to 120',
  ],
  [
    has('sex', 'gender'),
    (name) => ({ name, type: 'category', values: 'discover' }),
    `a few words such as ${sexes.join(', ')}`,
  ],
  [
    has('month', 'monat'),
    (name) => ({ name, type: 'category', values: [...months], other: 'other', ordered: true }),
    'months by name',
  ],
  [
    has('weekday', 'dayofweek'),
    (name) => ({ name, type: 'category', values: [...weekdays], other: 'other', ordered: true }),
    'days of the week by name',
  ],
  [
    has('percent', 'pct', 'percentage'),
    (name) => ({ name, type: 'number', edges: 'discover', min: 0, max: 100 }),
    'percentages from 0 to 100',
  ],
  [
    has('zip', 'zipcode', 'postcode', 'postal', 'plz'),
    (name) => ({ name, type: 'category', values: 'discover' }),
    'codes of places',
  ],
];

/** What a column is taken for by its name; undefined where the name says nothing. */
export const guessColumn = (name: string): Guess | undefined => {
  const words = wordsOf(name);
  const rule = rules.find(([test]) => test(words, name));
  return rule && { spec: rule[1](name), why: rule[2] };
};
