import type { Hint } from '../hint.js';
import { InputError } from '../input-error.js';
import { nearest } from '../nearest.js';

/** Line and column, both from 1, of a character of the text. */
const lineAndColumn = (text: string, at: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: before[before.length - 1].length + 1 };
};

/** Says what is wrong with a statement, where, and what to do: `SQL 1:8: must ..., got ...; ...`. */
export type Refuse = (at: number, rule: string, next: string | Hint) => InputError;

/** A sentence may quote what was written, which may be of any length. */
const longest = 400;
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** Errors in this text. */
export const refuseIn =
  (text: string): Refuse =>
  (at, rule, next) => {
    const { line, column } = lineAndColumn(text, at);
    const told = `SQL ${line}:${column}: ${cut(rule)}`;
    return typeof next === 'string' ? new InputError(`${told}; ${cut(next)}`) : new InputError(told, next);
  };

/** "did you mean x?" when a name of the list is near, otherwise what there is. */
export const meant = (name: string, known: readonly string[], what: string): string => {
  const near = nearest(name, known);
  if (near !== undefined) return `did you mean ${near}?`;
  const shown = known.slice(0, 12).join(', ');
  return `${what} ${shown}${known.length > 12 ? ', ...' : ''}`;
};
