import type { PGNode } from 'pgsql-ast-parser';
import { limits } from '../../domain/limits.js';
import { checkDepth } from './check-depth.js';
import { checkSelects } from './check-selects.js';
import type { Refuse } from './sql-error.js';
import type { Token } from './token.js';

/** A text of SQL, as it was written and as the parser reads it. */
export interface Script {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The text for the parser; places in it mean nothing outside this file. */
  readonly plain: string;
  /** The token at a place of `plain`; one past the last token for the end. */
  readonly tokenAt: (offset: number) => number;
  /** The first and the last token of a node, without parentheses around it. */
  readonly inner: (node: PGNode) => readonly [number, number];
  /** The same with the parentheses around it; those of a call too if the node is all there is in them. */
  readonly outer: (node: PGNode) => readonly [number, number];
  /** The token ) that belongs to a token (. */
  readonly closing: (open: number) => number;
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

/** Splits a text; what is no token is an `InputError`. Comments are left out. */
const tokensOf = (text: string, refuse: Refuse): Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    let end = at;
    for (const [kind, form] of forms) {
      form.lastIndex = at;
      const written = form.exec(text)?.[0];
      if (written === undefined) continue;
      end = at + written.length;
      const quote = kind === 'name' || kind === 'text' ? written[0] : undefined;
      const value = quote === undefined ? written : written.slice(1, -1).replaceAll(quote + quote, quote);
      if (kind !== 'nothing') tokens.push({ kind, value, at, end });
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

/**
 * What the parser is given for a token. Its own lexer takes `5-3` for 5 and -3, reads 1e3 as 1 with the name e3, folds names to lower
 * case and knows neither letters outside ASCII nor a * within quotes; so it gets tokens with spaces between and placeholders for what
 * they hold, and what they hold is looked up by place.
 */
const plainOf = ({ kind, value }: Token): string => {
  if (kind === 'number') return '1';
  if (kind === 'text') return "'text'";
  if (kind === 'name' || (kind === 'word' && !/^\w+$/.test(value))) return '"name"';
  return value === '==' ? '=' : value;
};

/** For every ( the place of its ), among the tokens. */
const closings = (tokens: readonly Token[]): ReadonlyMap<number, number> => {
  const open: number[] = [];
  const pairs = new Map<number, number>();
  tokens.forEach(({ kind, value }, i) => {
    if (kind !== 'sign') return;
    if (value === '(') open.push(i);
    const start = value === ')' ? open.pop() : undefined;
    if (start !== undefined) pairs.set(start, i);
  });
  return pairs;
};

export const scriptOf = (text: string, refuse: Refuse): Script => {
  const tokens = tokensOf(text, refuse);
  checkDepth(tokens, refuse);
  checkSelects(tokens, refuse);
  const pairs = closings(tokens);
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  let plain = '';
  tokens.forEach((token, i) => {
    if (i > 0) plain += ' ';
    starts.set(plain.length, i);
    plain += plainOf(token);
    ends.set(plain.length, i);
  });
  const openings = new Map([...pairs].map(([open, close]) => [close, open]));
  const inner = ({ _location: place }: PGNode): [number, number] => {
    let first = starts.get(place?.start ?? 0) ?? 0;
    let last = ends.get(place?.end ?? plain.length) ?? tokens.length - 1;
    // The parser leaves out parentheses around the first and the last part of a node: of (a) + (b) it gives a) + (b.
    for (let i = last; i >= first; i--) first = Math.min(first, openings.get(i) ?? first);
    for (let i = first; i <= last; i++) last = Math.max(last, pairs.get(i) ?? last);
    while (pairs.get(first) === last && last - first > 1) {
      first++;
      last--;
    }
    return [first, last];
  };
  const outer = (node: PGNode): [number, number] => {
    let [first, last] = inner(node);
    while (pairs.has(first - 1) && pairs.get(first - 1) === last + 1) {
      first--;
      last++;
    }
    return [first, last];
  };
  const tokenAt = (offset: number): number => starts.get(offset) ?? tokens.length;
  return { text, tokens, plain, tokenAt, inner, outer, closing: (open) => pairs.get(open)! };
};
