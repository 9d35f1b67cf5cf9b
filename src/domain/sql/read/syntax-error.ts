import type { InputError } from '../../input-error.js';
import { nearest } from '../../nearest.js';
import type { Refuse } from '../sql-error.js';
import type { Token } from './token.js';
import { isReserved } from './words.js';

const words = 'SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET AND OR NOT BETWEEN IN NULL'.split(' ');

/** What this page of SQL is, for hints. */
export const form = 'write SELECT ... FROM data [WHERE ...] [GROUP BY ...] [HAVING ...] [ORDER BY ...] [LIMIT n]';

/** A word that SQL has taken, as a name. */
export const quoteHint = (word: string): string => `a name that is also a word of SQL goes in double quotes: "${word}"`;

/** The complaint about the token at which a text can no longer be read, with a hint. `names` are those of the attributes. */
export const syntaxError = (
  index: number,
  text: string,
  tokens: readonly Token[],
  names: readonly string[],
  refuse: Refuse,
): InputError => {
  const [here, before]: readonly (Token | undefined)[] = [tokens[index], tokens[index - 1]];
  const at = here?.at ?? tokens[tokens.length - 1].end;
  const got = here === undefined ? 'its end' : JSON.stringify(text.slice(here.at, here.end));
  return refuse(at, `must be SQL that can be read, got ${got}`, hintFor(here, before, names));
};

const wordOf = (token: Token | undefined): string | undefined => (token?.kind === 'word' ? token.value : undefined);

const hintFor = (here: Token | undefined, before: Token | undefined, names: readonly string[]): string => {
  // A misspelt keyword is read as a name, so the word before the complaint is the suspect as often as the one at it.
  const suspects = [here, before].flatMap((token) => wordOf(token) ?? []);
  const attribute = suspects.flatMap((word) => names.find((name) => name.toLowerCase() === word.toLowerCase()) ?? []);
  const strange = suspects.filter((word) => !words.includes(word.toUpperCase()));
  const near = strange.flatMap((word) => nearest(word.toUpperCase(), words) ?? []);
  const [word, previous] = [wordOf(here)?.toUpperCase(), wordOf(before)?.toUpperCase() ?? before?.value];
  if (word !== undefined && previous === 'AS') return quoteHint(here!.value);
  const taken = attribute.find(isReserved);
  if (taken !== undefined) return quoteHint(taken);
  if (near.length > 0) return `did you mean ${near[0]}?`;
  if (here?.value === ')' && before?.value === '(') return "something must stand in parentheses, as in IN ('a', 'b')";
  if (word === 'SELECT') return 'put a SELECT within another in parentheses, and ; between statements';
  if (before?.kind === 'sign' && before.value === ',') return 'something must follow the comma before it';
  if (word === 'HAVING') return 'HAVING comes once, after GROUP BY';
  return form;
};
