import { limits } from '../../limits.js';
import type { Refuse } from '../sql-error.js';

/** A word, a name in double quotes, a text in single quotes, a number, or a sign. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign';
  /** What it says: without its quotes, otherwise as it was written. */
  readonly value: string;
  /** What the grammar knows it by: a word in capitals, a sign; undefined for what can only be a name or a value. */
  readonly key: string | undefined;
  /** Where it begins in the text, and where it has ended. */
  readonly at: number;
  readonly end: number;
}

const forms: readonly (readonly [Token['kind'] | 'nothing', RegExp])[] = [
  ['nothing', /\s+|--[^\n]*|\/\*.*?\*\//sy],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?![\p{L}\p{N}_.])/iuy],
  ['word', /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy],
  ['name', /"[^"]+(?:""[^"]*)*"|"(?:""[^"]*)+"/y],
  ['text', /'[^']*(?:''[^']*)*'/y],
  ['sign', /<=|>=|<>|!=|==|\|\||::|\/(?!\*)|[-+*%=<>(),;.^&|~[\]:]/y],
];

const unreadable: readonly (readonly [RegExp, string])[] = [
  [/^['"]/, 'a quotation begins here that does not end or is empty'],
  [/^\/\*/, 'a comment begins here that does not end'],
  [/^\.?\d/, 'write numbers as 12, 0.5 or 1e6, and names that begin with a digit in double quotes'],
];

const tokenOf = (kind: Token['kind'], written: string, at: number): Token => {
  const quote = kind === 'name' || kind === 'text' ? written[0] : undefined;
  const value = quote === undefined ? written : written.slice(1, -1).replaceAll(quote + quote, quote);
  const place = { at, end: at + written.length };
  if (kind === 'word') return { kind, value, key: /^\w+$/.test(value) ? value.toUpperCase() : undefined, ...place };
  const same: Readonly<Record<string, string>> = { '==': '=', '!=': '<>' };
  return { kind, value, key: kind === 'sign' ? (same[value] ?? value) : undefined, ...place };
};

/** Splits a text; what is no token is an `InputError`. Comments are left out. */
export const tokensOf = (text: string, refuse: Refuse): Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    let end = at;
    for (const [kind, form] of forms) {
      form.lastIndex = at;
      const written = form.exec(text)?.[0];
      if (written === undefined) continue;
      end = at + written.length;
      if (kind !== 'nothing') tokens.push(tokenOf(kind, written, at));
      if (tokens.length > limits.sqlTokens)
        throw refuse(at, `must have at most ${limits.sqlTokens} words and signs, got more`, 'ask in several texts');
      break;
    }
    if (end === at) {
      const rest = text.slice(at);
      const hint = unreadable.find(([begins]) => begins.test(rest))?.[1];
      throw refuse(
        at,
        `must be SQL that can be read, got ${JSON.stringify(/^\S{1,20}/u.exec(rest)![0])}`,
        hint ?? 'put texts in single quotes, and names with other signs than letters, digits and _ in double quotes',
      );
    }
    at = end;
  }
  return tokens;
};
