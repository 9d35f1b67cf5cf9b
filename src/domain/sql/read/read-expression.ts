import { type Reader, readStar, spanFrom } from './reader.js';
import type { Token } from './token.js';
import type { Operator, Tree } from './tree.js';
import { isName, operandWords } from './words.js';

/** How tightly operators bind, from OR on; PostgreSQL's order. Those of one level are read from left to right. */
const level = {
  or: 1,
  and: 2,
  not: 3,
  equal: 4,
  is: 5,
  compare: 6,
  between: 7,
  other: 8,
  like: 9,
  in: 10,
  sign: 14,
  operand: 15,
};

const levels: Readonly<Record<string, number>> = {
  OR: level.or,
  AND: level.and,
  '=': level.equal,
  '<>': level.equal,
  IS: level.is,
  ISNULL: level.is,
  NOTNULL: level.is,
  '<': level.compare,
  '<=': level.compare,
  '>': level.compare,
  '>=': level.compare,
  '~': level.compare,
  BETWEEN: level.between,
  '|': level.other,
  '&': level.other,
  LIKE: level.like,
  ILIKE: level.like,
  IN: level.in,
  '+': 11,
  '-': 11,
  '||': 11,
  '*': 12,
  '/': 12,
  '%': 12,
  '^': 13,
};

/** What NOT may stand before, after an expression. */
const negatable = ['BETWEEN', 'LIKE', 'ILIKE', 'IN'];

/** An expression, or * alone. */
export const readExpression = (reader: Reader, isColumn = false): Tree =>
  reader.is('*') ? readStar(reader) : readFrom(reader, 0, isColumn);

/** An expression, which * alone is none of. */
export const readValue = (reader: Reader): Tree => readFrom(reader, 0, false);

/** An expression of operators that bind at least as tightly as `least`. A column may end with a name, and BETWEEN is one. */
const readFrom = (reader: Reader, least: number, isColumn: boolean): Tree => {
  let [left, reached] = readPrefix(reader, least, isColumn);
  for (;;) {
    const isNegated = reader.is('NOT');
    const key = reader.peek(isNegated ? 1 : 0)?.key ?? '';
    if (isNegated && !negatable.includes(key)) {
      // NOT goes on from here only where one of its operators might.
      if (least > level.in || reached < level.between) return left;
      reader.next();
      return reader.fail();
    }
    const own = Object.hasOwn(levels, key) ? levels[key] : 0;
    if (own === 0 || own < least || own > reached) return left;
    if (isColumn && key === 'BETWEEN' && !isNegated && !beginsOperand(reader.peek(1))) return left;
    left = readOperator(reader, left, own, isColumn);
    reached = own;
  }
};

/** NOT and signs, which stand before what they are about. */
const readPrefix = (reader: Reader, least: number, isColumn: boolean): [Tree, number] => {
  const own = reader.is('NOT') ? level.not : reader.is('+', '-') ? level.sign : 0;
  if (own === 0 || own < least) return [reader.operand(), level.operand];
  const token = reader.next();
  const operator = { name: reader.tokens[token].key!, token };
  const of = reader.deeper(() => readFrom(reader, own, isColumn));
  return [{ kind: 'unary', operator, of, ...spanFrom(token, reader) }, own];
};

/** The operator at the reader and what follows it. */
const readOperator = (reader: Reader, left: Tree, own: number, isColumn: boolean): Tree => {
  if (own === level.is) return readIs(reader, left);
  const operator = operatorOf(reader);
  if (own === level.between) {
    const from = reader.deeper(() => readFrom(reader, own, isColumn));
    reader.expect('AND');
    const to = readFrom(reader, own + 1, isColumn);
    const negated = operator.name !== 'BETWEEN';
    return { kind: 'between', negated, of: left, from, to, ...spanFrom(left.outerFirst, reader) };
  }
  const right = readFrom(reader, own + 1, isColumn);
  if (own === level.like) {
    const escapedBy = reader.accept('ESCAPE') ? readFrom(reader, own + 1, isColumn) : undefined;
    return { kind: 'like', operator, of: left, pattern: right, escapedBy, ...spanFrom(left.outerFirst, reader) };
  }
  return { kind: 'binary', operator, left, right, ...spanFrom(left.outerFirst, reader) };
};

const readIs = (reader: Reader, of: Tree): Tree => {
  const token = reader.next();
  const { key } = reader.tokens[token];
  let name = key === 'NOTNULL' ? 'IS NOT NULL' : 'IS NULL';
  if (key === 'IS') {
    const negated = reader.accept('NOT');
    name = `IS ${negated ? 'NOT ' : ''}${reader.tokens[reader.expect('NULL', 'TRUE', 'FALSE')].key}`;
  }
  return { kind: 'after', operator: { name, token }, of, ...spanFrom(of.outerFirst, reader) };
};

const operatorOf = (reader: Reader): Operator => {
  const token = reader.next();
  const { key = '' } = reader.tokens[token];
  // NOT before one of the words that it may stand before, after an expression.
  const word = key === 'NOT' && reader.is(...negatable) ? reader.tokens[reader.next()].key : undefined;
  return { name: word === undefined ? key : `${key} ${word}`, token };
};

/** Whether a token begins an operand, or a sign before one. */
const beginsOperand = (token: Token | undefined): boolean => {
  if (token === undefined || token.key === undefined) return token !== undefined;
  return isName(token) || operandWords.has(token.key) || ['(', '+', '-'].includes(token.key);
};
