import { readOrder } from './read-order.js';
import { readUnion } from './read-union.js';
import { type Reader, readStar, spanFrom } from './reader.js';
import type { Tree } from './tree.js';
import { functionWords, isName, valueWords, wordyFunctions } from './words.js';

const literals: Readonly<Record<string, 'true' | 'false' | 'null'>> = { TRUE: 'true', FALSE: 'false', NULL: 'null' };

/** What operators stand between: a value, a name, a call, something in parentheses; with its casts and indices. */
export const readOperand = (reader: Reader): Tree => {
  const first = reader.position();
  let operand = readPlain(reader);
  while (reader.is('::', '[')) {
    const isCast = reader.accept('::');
    const isDate = isCast ? readType(reader) : readIndex(reader);
    operand = castOf(operand, isDate, first, reader);
  }
  return operand;
};

const castOf = (of: Tree, isDate: boolean, first: number, reader: Reader): Tree =>
  isDate && of.kind === 'text'
    ? { kind: 'date', of, ...spanFrom(first, reader) }
    : { kind: 'other', ...spanFrom(first, reader) };

const readPlain = (reader: Reader): Tree => {
  const token = reader.peek();
  const key = token?.key ?? '';
  if (key === '(') return readParentheses(reader);
  if (key === 'SELECT') reader.checkSelect();
  if (isName(token)) return readNamed(reader);
  const first = reader.position();
  if (token?.kind === 'number' || token?.kind === 'text') {
    reader.next();
    return { kind: token.kind, ...spanFrom(first, reader) };
  }
  if (Object.hasOwn(literals, key)) {
    reader.next();
    return { kind: literals[key], ...spanFrom(first, reader) };
  }
  if (functionWords.has(key) || (valueWords.has(key) && reader.peek(1)?.key === '(')) {
    reader.next();
    return readCall(reader, first);
  }
  if (valueWords.has(key)) {
    reader.next();
    return { kind: 'word', ...spanFrom(first, reader) };
  }
  if (key === 'CASE') return readCase(reader);
  if (key === 'CAST') return readCast(reader);
  if (key === 'ARRAY') return readArray(reader);
  return reader.fail();
};

/** A name, which may turn out to be that of a function or, before a text, of a type. */
const readNamed = (reader: Reader): Tree => {
  const first = reader.name();
  let [parts, isBare] = [1, true];
  while (reader.accept('.')) {
    if (reader.is('*')) {
      reader.next();
      return { kind: 'star', ...spanFrom(first, reader) };
    }
    // A word of SQL may stand there when another name follows it.
    isBare = isName(reader.peek());
    if (!isBare && reader.peek()?.kind !== 'word') reader.fail();
    reader.next();
    parts++;
  }
  if (reader.is('(') && parts < 3) return readCall(reader, first);
  if (reader.peek()?.kind === 'text') {
    const isDate = parts === 1 && reader.tokens[first].key === 'DATE';
    const at = reader.next();
    return castOf({ kind: 'text', ...spanFrom(at, reader) }, isDate, first, reader);
  }
  return isBare ? { kind: 'name', ...spanFrom(first, reader) } : reader.fail();
};

/** An expression, a SELECT, or several of these. */
const readParentheses = (reader: Reader): Tree => {
  const outerFirst = reader.position();
  const inner = reader.inParentheses((): Tree => {
    const first = reader.position();
    const items = reader.list(() => readItem(reader));
    if (reader.is('UNION') && items[0].kind === 'select') return unionOf(items[0], first, reader);
    if (items.length > 1) return { kind: 'list', items, ...spanFrom(first, reader) };
    return items[0].kind === 'star' ? reader.fail() : items[0];
  });
  return { ...inner, outerFirst, outerLast: reader.position() - 1 };
};

const unionOf = (of: Tree & { readonly kind: 'select' }, first: number, reader: Reader): Tree => ({
  kind: 'select',
  select: readUnion(reader, of.select),
  ...spanFrom(first, reader),
});

/** One of several things in parentheses. */
const readItem = (reader: Reader): Tree => {
  if (reader.is('*')) return readStar(reader);
  if (!reader.is('SELECT', 'WITH')) return reader.value();
  const first = reader.position();
  return { kind: 'select', select: reader.query(), ...spanFrom(first, reader) };
};

/** The parentheses of a call, and what may follow them. */
const readCall = (reader: Reader, first: number): Tree => {
  const name = reader.tokens[first].key ?? '';
  const isQualified = reader.position() > first + 1;
  let [extra, isWordy]: [number | undefined, boolean] = [undefined, false];
  const args = reader.inParentheses((): Tree[] => {
    if (reader.is('DISTINCT', 'ALL')) extra = reader.next();
    const items = reader.is(')', 'ORDER') ? [] : reader.list(() => readItem(reader));
    for (const word of wordyFunctions.has(name) ? ['PLACING', 'FROM', 'FOR'] : [])
      if (reader.accept(word)) {
        reader.value();
        isWordy = true;
      }
    if (reader.is('ORDER')) extra ??= readOrder(reader)[0].by.first;
    return items;
  });
  const last = reader.position() - 1;
  if (readFurther(reader)) extra ??= last + 1;
  const span = spanFrom(first, reader);
  // The other functions of a schema and those with words within have no answer, whatever their name is.
  return isQualified || isWordy ? { kind: 'other', ...span } : { kind: 'call', args, extra, ...span };
};

/** FILTER, WITHIN GROUP and OVER behind a call; each may also be its name as a column. */
const readFurther = (reader: Reader): boolean => {
  const start = reader.position();
  if (reader.is('FILTER') && reader.peek(1)?.key === '(') {
    reader.next();
    reader.inParentheses(() => {
      reader.expect('WHERE');
      reader.expression();
    });
  }
  if (reader.is('WITHIN') && reader.peek(1)?.key === 'GROUP') {
    reader.next();
    reader.next();
    reader.inParentheses(() => readOrder(reader));
  }
  if (reader.is('OVER') && reader.peek(1)?.key === '(') {
    reader.next();
    reader.inParentheses(() => {
      if (reader.accept('PARTITION')) {
        reader.expect('BY');
        reader.list(() => readItem(reader));
      }
      if (reader.is('ORDER')) readOrder(reader);
    });
  }
  return reader.position() > start;
};

const readCase = (reader: Reader): Tree => {
  const first = reader.expect('CASE');
  reader.deeper(() => {
    if (!reader.is('WHEN', 'ELSE', 'END')) reader.value();
    while (reader.accept('WHEN')) {
      reader.value();
      reader.expect('THEN');
      reader.value();
    }
    if (reader.accept('ELSE')) reader.value();
  });
  reader.expect('END');
  return { kind: 'other', ...spanFrom(first, reader) };
};

const readCast = (reader: Reader): Tree => {
  const first = reader.expect('CAST');
  const [of, isDate] = reader.inParentheses((): [Tree, boolean] => {
    const inner = reader.value();
    reader.expect('AS');
    return [inner, readType(reader)];
  });
  return castOf(of, isDate, first, reader);
};

/** The name of a type; says whether it is `date`. */
const readType = (reader: Reader): boolean => {
  const first = reader.name();
  while (reader.accept('.')) reader.name();
  reader.accept('PRECISION', 'VARYING');
  if (reader.is('(')) reader.inParentheses(() => reader.list(() => reader.value()));
  const isPlain = reader.position() === first + 1;
  return isPlain && reader.tokens[first].key === 'DATE';
};

const readIndex = (reader: Reader): boolean => {
  reader.inParentheses(() => reader.value(), '[');
  return false;
};

const readArray = (reader: Reader): Tree => {
  const first = reader.expect('ARRAY');
  if (reader.is('(')) reader.inParentheses(() => reader.query());
  else reader.inParentheses(() => (reader.is(']') ? [] : reader.list(() => readItem(reader))), '[');
  return { kind: 'other', ...spanFrom(first, reader) };
};
