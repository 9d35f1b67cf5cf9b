import { limits } from '../../limits.js';
import type { Refuse } from '../sql-error.js';
import { syntaxError } from './syntax-error.js';
import type { Token } from './token.js';
import type { SelectTree, Span, Tree } from './tree.js';
import { isName } from './words.js';

/** A place among the tokens of a text, and how to go on from there. */
interface Steps {
  readonly tokens: readonly Token[];
  readonly refuse: Refuse;
  /** The number of the token to be read next. */
  readonly position: () => number;
  /** The token to be read next, or one behind it. */
  readonly peek: (ahead?: number) => Token | undefined;
  readonly is: (...keys: readonly string[]) => boolean;
  /** Reads a token and gives its number. */
  readonly next: () => number;
  /** Reads a token if it is one of these. */
  readonly accept: (...keys: readonly string[]) => boolean;
  /** Reads a token that must be one of these. */
  readonly expect: (...keys: readonly string[]) => number;
  /** Reads a name. */
  readonly name: () => number;
  /** The complaint that the text cannot be read on from here. */
  readonly fail: () => never;
  /** Passes over parentheses or brackets and all that is in them. */
  readonly skip: () => void;
}

/** What lies within what. */
interface Nesting {
  /** Reads what lies one deeper within. */
  readonly deeper: <T>(read: () => T) => T;
  /** Reads items with commas between. */
  readonly list: <T>(item: () => T) => T[];
  /** Reads what is in parentheses, with these. */
  readonly inParentheses: <T>(read: () => T) => T;
  /** Before a SELECT is read: one that stands in a list is an error of its own. */
  readonly checkSelect: () => void;
}

type Cursor = Steps & Nesting;

/** A cursor that knows the parts of the grammar which others are made of, and which are made of those in turn. */
export interface Reader extends Cursor {
  /** Whether there are two tables to join. */
  readonly isTwoLevel: boolean;
  /** An expression, or * alone. A column may end with its name. */
  readonly expression: (isColumn?: boolean) => Tree;
  /** An expression, which * alone is none of. */
  readonly value: () => Tree;
  /** What operators stand between. */
  readonly operand: () => Tree;
  /** A SELECT with all its clauses. */
  readonly query: () => SelectTree;
}

/** The span of a part that has been read, from its first token. */
export const spanFrom = (first: number, reader: Cursor): Span => {
  const last = reader.position() - 1;
  return { first, last, outerFirst: first, outerLast: last };
};

export const readStar = (reader: Cursor): Tree => {
  const first = reader.expect('*');
  return { kind: 'star', ...spanFrom(first, reader) };
};

/** A cursor at the beginning. `names` are those of the attributes, for hints. */
export const cursorAt = (text: string, tokens: readonly Token[], names: readonly string[], refuse: Refuse): Cursor => {
  const way = stepsThrough(text, tokens, names, refuse);
  return { ...way, ...nestingOn(way) };
};

const stepsThrough = (text: string, tokens: readonly Token[], names: readonly string[], refuse: Refuse): Steps => {
  let position = 0;
  const peek = (ahead = 0): Token | undefined => tokens[position + ahead];
  const is = (...keys: readonly string[]): boolean => {
    const key = peek()?.key;
    return key !== undefined && keys.includes(key);
  };
  const fail = (): never => {
    throw syntaxError(position, text, tokens, names, refuse);
  };
  const accept = (...keys: readonly string[]): boolean => {
    const found = is(...keys);
    if (found) position++;
    return found;
  };
  return {
    tokens,
    refuse,
    position: () => position,
    peek,
    is,
    next: () => position++,
    accept,
    expect: (...keys) => (accept(...keys) ? position - 1 : fail()),
    name: () => (isName(peek()) ? position++ : fail()),
    fail,
    skip: () => {
      let open = 0;
      do {
        if (peek() === undefined || (open === 0 && !is('(', '['))) fail();
        open += is('(', '[') ? 1 : is(')', ']') ? -1 : 0;
        position++;
      } while (open > 0);
    },
  };
};

const nestingOn = ({ tokens, refuse, position, is, next, expect }: Steps): Nesting => {
  let depth = 0;
  /** What has been seen at this level of parentheses. */
  let level = { isInner: false, isSelect: false, isList: false };
  const deeper = <T>(read: () => T): T => {
    if (++depth > limits.sqlDepth)
      throw refuse(
        tokens[Math.max(0, position() - 1)].at,
        `parentheses, NOTs, signs, BETWEENs and CASEs must lie within one another at most ${limits.sqlDepth} deep, got more`,
        'write it flatter',
      );
    const found = read();
    depth--;
    return found;
  };
  /** A SELECT within another gives one number, so it is no list and stands in none. */
  const several = () =>
    refuse(
      tokens[position()].at,
      'a SELECT within another must give one number',
      'for example (SELECT COUNT(*) FROM data)',
    );
  return {
    deeper,
    list: (item) => {
      const items = [item()];
      while (is(',')) {
        if (level.isInner && level.isSelect) throw several();
        level.isList = true;
        next();
        items.push(item());
      }
      return items;
    },
    inParentheses: (read) => {
      const outer = level;
      expect('(');
      level = { isInner: true, isSelect: false, isList: false };
      const found = deeper(read);
      expect(')');
      level = outer;
      return found;
    },
    checkSelect: () => {
      const before = tokens[position() - 1]?.key;
      if (is('SELECT') && (level.isInner ? level.isList : before === ',' || before === 'BY')) throw several();
      level.isSelect = true;
    },
  };
};
