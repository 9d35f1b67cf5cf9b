import { readOrder } from './read-order.js';
import { type Reader, readStar, spanFrom } from './reader.js';
import type { CallTree, OrderTree, Tree } from './tree.js';
import { functionWords, isName, valueWords, wordyFunctions } from './words.js';

const literals: Readonly<Record<string, 'true' | 'false' | 'null'>> = { TRUE: 'true', FALSE: 'false', NULL: 'null' };

/** What operators stand between: a value, a name, a call, something in parentheses; with its casts and indices. */
export const readOperand = (reader: Reader): Tree => {
  const first = reader.position();
  let operand = readPlain(reader);
  while (reader.is('::', '[')) {
    const isDate = reader.accept('::') && readType(reader);
    if (reader.is('[')) reader.skip();
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
  if (key === 'ARRAY') {
    reader.next();
    reader.skip();
    return { kind: 'other', ...spanFrom(first, reader) };
  }
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
    if (items.length > 1) return { kind: 'list', items, ...spanFrom(first, reader) };
    return items[0].kind === 'star' ? reader.fail() : items[0];
  });
  return { ...inner, outerFirst, outerLast: reader.position() - 1 };
};

/** One of several things in parentheses. */
const readItem = (reader: Reader): Tree => {
  if (reader.is('*')) return readStar(reader);
  if (!reader.is('SELECT', 'WITH')) return reader.value();
  const first = reader.position();
  return { kind: 'select', select: reader.query(), ...spanFrom(first, reader) };
};

/** The parentheses of a call, and what may follow them. */
const readCall = (reader: Reader, first: number): Tree => {
  const isQualified = reader.position() > first + 1;
  if (isQualified || wordyFunctions.has(reader.tokens[first].key ?? '')) {
    reader.skip();
    return { kind: 'other', ...spanFrom(first, reader) };
  }
  const said: { -readonly [K in 'distinct' | 'filter' | 'within' | 'extra']?: CallTree[K] } = {};
  const args = reader.inParentheses((): Tree[] => {
    if (reader.is('DISTINCT')) said.distinct = reader.next();
    else reader.accept('ALL');
    const items = reader.is(')', 'ORDER') ? [] : reader.list(() => readItem(reader));
    if (reader.is('ORDER')) said.extra = readOrder(reader)[0].by.first;
    return items;
  });
  // Each of these may also be the name of the column.
  while (reader.is('FILTER', 'OVER', 'WITHIN') && ['(', 'GROUP'].includes(reader.peek(1)?.key ?? '')) {
    const at = reader.next();
    const { key } = reader.tokens[at];
    if (key === 'FILTER' && said.filter === undefined) said.filter = readFilter(reader);
    else if (key === 'WITHIN' && said.within === undefined) said.within = readWithin(reader);
    else {
      said.extra ??= at;
      reader.accept('GROUP');
      reader.skip();
    }
  }
  return { kind: 'call', args, ...said, ...spanFrom(first, reader) };
};

const readFilter = (reader: Reader): Tree =>
  reader.inParentheses(() => {
    reader.expect('WHERE');
    return reader.value();
  });

const readWithin = (reader: Reader): OrderTree => {
  reader.expect('GROUP');
  return reader.inParentheses(() => {
    const [order, more] = reader.is('ORDER') ? readOrder(reader) : [reader.fail()];
    return more === undefined ? order : reader.fail();
  });
};

const readCase = (reader: Reader): Tree => {
  const first = reader.expect('CASE');
  return reader.deeper(() => {
    const of = reader.is('WHEN') ? undefined : reader.value();
    const branches: { readonly when: Tree; readonly gives: Tree }[] = [];
    do {
      reader.expect('WHEN');
      const when = reader.value();
      reader.expect('THEN');
      branches.push({ when, gives: reader.value() });
    } while (reader.is('WHEN'));
    const otherwise = reader.accept('ELSE') ? reader.value() : undefined;
    reader.expect('END');
    return { kind: 'case', of, branches, otherwise, ...spanFrom(first, reader) };
  });
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
  reader.accept('PRECISION', 'VARYING');
  if (reader.is('(')) reader.skip();
  return reader.position() === first + 1 && reader.tokens[first].key === 'DATE';
};
