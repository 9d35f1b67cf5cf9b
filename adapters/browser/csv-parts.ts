import { InputError } from '../../src/domain/input-error.js';
import { csvNames, type HeaderForm } from '../table/csv-names.js';
import type { TablePart } from './table-part.js';

/** Rows handed on at a time: enough for encoders to run warm, few enough to stay within a cache. */
const partRows = 4096;
/** A header and a record end within so many characters: beyond them a quote was left open. */
const mostHeader = 1 << 20;
const mostRecord = 1 << 21;

const CR = 0x0d;
const LF = 0x0a;

/** Where the first record of a text ends, outside quotes, or -1. */
const endOfRecord = (text: string, quote: string): number => {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === quote) quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) return at;
  }
  return -1;
};

/**
 * The rows of a CSV text (RFC 4180) that arrives in parts: fields may be quoted, with doubled quotes and line ends in them; lines end in LF, CRLF or CR;
 * an empty field is the empty text. What is not so is an `InputError` that names the row and holds nothing of it. The first part has the names and no
 * rows: whoever wants no more of a private table has seen none of them.
 */
export async function* csvParts(texts: AsyncIterable<string>, file: HeaderForm): AsyncGenerator<TablePart> {
  let pending = '';
  let scan: ReturnType<typeof scanner> | undefined;
  const begin = (end: number): ReturnType<typeof scanner> => {
    const { names, delimiter } = csvNames(pending.slice(0, end), file);
    const isPair = pending.charCodeAt(end) === CR && pending.charCodeAt(end + 1) === LF;
    pending = pending.slice(end + (isPair ? 2 : 1));
    return scanner(names, delimiter, file);
  };
  for await (const text of texts) {
    pending += text;
    if (scan === undefined) {
      const end = endOfRecord(pending, file.quote);
      // A CR at the end may have its LF in the next part.
      if (end >= 0 && end + 1 < pending.length) scan = begin(end);
      else if (pending.length > mostHeader)
        throw new InputError(`${file.shown}: the header must end within 1 MiB; check the quotes in its first line`);
      if (scan === undefined) continue;
      yield scan.rest();
    }
    const { parts, read } = scan.take(pending, false);
    yield* parts;
    pending = pending.slice(read);
    if (pending.length > mostRecord)
      throw new InputError(
        `${file.shown}: a row must end within 2 MiB, got more after row ${scan.rows()}; check its quotes`,
      );
  }
  if (scan === undefined) {
    if (pending === '') throw new InputError(`${file.shown}: must have at least a header, got an empty file`);
    const end = endOfRecord(pending, file.quote);
    if (end < 0 && pending.split(file.quote).length % 2 === 0)
      throw new InputError(`${file.shown}: a quote in the header must be closed; check its first line`);
    scan = begin(end < 0 ? pending.length : end);
    yield scan.rest();
  }
  yield* scan.take(pending, true).parts;
  yield scan.rest();
}

/** Takes records off a text, as far as they are whole. */
const scanner = (names: readonly string[], delimiter: string, { shown, quote }: HeaderForm) => {
  const width = names.length;
  const delimiterCode = delimiter.charCodeAt(0);
  const quoteCode = quote.charCodeAt(0);
  const fresh = (): string[][] => names.map(() => []);
  let columns = fresh();
  let inPart = 0;
  let rows = 0;
  const wrong = (rule: string): InputError => new InputError(`${shown}: row ${rows + 1}: ${rule}`);
  /** The end of a quoted field that begins at `from`: behind its closing quote; -1 where the text ends before. */
  const closing = (text: string, from: number, last: boolean): number => {
    for (let at = from + 1; ; at += 2) {
      at = text.indexOf(quote, at);
      if (at < 0 || (at + 1 === text.length && !last)) {
        if (last) throw wrong('a quote must be closed, and it is not; check the quotes from there on');
        return -1;
      }
      if (text.charCodeAt(at + 1) !== quoteCode) return at + 1;
    }
  };
  return {
    rows: () => rows,
    take: (text: string, last: boolean): { readonly parts: TablePart[]; readonly read: number } => {
      const parts: TablePart[] = [];
      const end = text.length;
      const fields: string[] = new Array(width);
      let at = 0;
      for (let start = 0; ; start = at) {
        if (start === end) return { parts, read: start };
        let count = 0;
        let isOpen = true;
        while (isOpen) {
          const from = at;
          let field: string;
          if (at < end && text.charCodeAt(at) === quoteCode) {
            at = closing(text, at, last);
            if (at < 0) return { parts, read: start };
            field = text.slice(from + 1, at - 1);
            if (field.includes(quote)) field = field.replaceAll(quote + quote, quote);
            const code = text.charCodeAt(at);
            if (at < end && code !== delimiterCode && code !== LF && code !== CR)
              throw wrong('a quoted field must end where its quote closes; double the quotes inside it');
          } else {
            let code = -1;
            for (; at < end; at++) {
              code = text.charCodeAt(at);
              if (code === delimiterCode || code === LF || code === CR) break;
              if (code === quoteCode)
                throw wrong(
                  'a field with quotes in it must be quoted as a whole, and one is not; quote it, and double the quotes inside',
                );
            }
            field = text.slice(from, at);
          }
          if (at === end && !last) return { parts, read: start };
          if (count < width) fields[count] = field;
          count++;
          const code = at < end ? text.charCodeAt(at) : LF;
          if (code === delimiterCode) at++;
          else {
            isOpen = false;
            // The LF of a CR may not be there yet.
            if (code === CR && at + 1 === end && !last) return { parts, read: start };
            at += code === CR && text.charCodeAt(at + 1) === LF ? 2 : 1;
            if (at > end) at = end;
          }
        }
        // A line without any character is no row, unless a row of one column can be empty.
        if (count === 1 && fields[0] === '' && width > 1) continue;
        if (count === 1 && fields[0] === '' && text.charCodeAt(start) !== quoteCode) continue;
        if (count !== width)
          throw wrong(
            `must have ${width} fields, as the header has, got ${count < width ? 'fewer' : 'more'}; check the delimiters and quotes there`,
          );
        for (let i = 0; i < width; i++) columns[i].push(fields[i]);
        rows++;
        if (++inPart === partRows) {
          parts.push({ names, columns });
          columns = fresh();
          inPart = 0;
        }
      }
    },
    /** What is not handed on yet. */
    rest: (): TablePart => {
      const part = { names, columns };
      columns = fresh();
      inPart = 0;
      return part;
    },
  };
};
