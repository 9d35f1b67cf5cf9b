import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { InputError } from '../../src/domain/input-error.js';
import type { TableFile } from './table-file.js';

const LIMIT = 1 << 20;

/** What the first line of a CSV file tells. */
export interface CsvHeader {
  /** The names in order; the first one may be empty: an index, which is nobody's column. */
  readonly names: readonly string[];
  readonly delimiter: string;
}

/**
 * The column names in a CSV file's first record (RFC 4180). Read here and not by DuckDB, which renames a repeated name
 * without a word. No message holds a name: what stands there may be a private row, where the header is missing.
 */
export const csvHeader = async (file: TableFile): Promise<CsvHeader> => {
  const record = decode(await firstRecord(file), file);
  const delimiter = file.isDelimiterTold ? file.delimiter : shownDelimiter(record, file);
  const names = splitRecord(record, delimiter, file.quote).map((name) => name.trim());
  const seen = new Map<string, number>();
  for (const [i, name] of names.entries()) {
    // A first column without a name is the index that other programs write.
    if (name === '' && i === 0 && names.length > 1) continue;
    if (name === '') throw new InputError(`${file.shown}: every column must have a name, got none for column ${i + 1}`);
    const before = seen.get(name);
    if (before !== undefined)
      throw new InputError(
        `${file.shown}: column names must differ, got one name for columns ${before + 1} and ${i + 1}; rename one`,
      );
    seen.set(name, i);
  }
  return { names, delimiter };
};

/** The sign between the names of a header: the most frequent one of those that people use, outside quotes. Tables of tabs say so by their ending. */
const shownDelimiter = (record: string, { delimiter, quote }: TableFile): string => {
  if (delimiter !== ',') return delimiter;
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, times: splitRecord(record, sign, quote).length }));
  return counted.reduce((best, own) => (own.times > best.times ? own : best)).sign;
};

const bytesOf = (file: TableFile) => {
  const raw = createReadStream(file.path, { highWaterMark: 1 << 16 });
  const stream = file.gzip ? raw.pipe(createGunzip()) : raw;
  raw.on('error', (error) => stream.destroy(error));
  return { raw, stream: stream as AsyncIterable<Buffer> };
};

/** Whether a file, once it is decompressed, has no byte. */
export const isBlank = async (file: TableFile): Promise<boolean> => {
  const { raw, stream } = bytesOf(file);
  try {
    for await (const part of stream) if (part.length > 0) return false;
    return true;
  } catch {
    throw new InputError(`${file.shown}: could not be read; check the disk`);
  } finally {
    raw.destroy();
  }
};

const firstRecord = async (file: TableFile): Promise<Buffer> => {
  const { raw, stream } = bytesOf(file);
  const quoteByte = file.quote.charCodeAt(0);
  const parts: Buffer[] = [];
  let length = 0;
  let quoted = false;
  try {
    for await (const part of stream) {
      for (let at = 0; at < part.length; at++) {
        const byte = part[at];
        if (byte === quoteByte) quoted = !quoted;
        else if (!quoted && (byte === 0x0a || byte === 0x0d)) return Buffer.concat([...parts, part.subarray(0, at)]);
      }
      parts.push(part);
      length += part.length;
      if (length > LIMIT)
        throw new InputError(`${file.shown}: the header must end within 1 MiB; check the quotes in its first line`);
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file.shown}: could not be read; check the disk`);
  } finally {
    raw.destroy();
  }
  if (length === 0) throw new InputError(`${file.shown}: must have at least a header, got an empty file`);
  if (quoted) throw new InputError(`${file.shown}: a quote in the header must be closed; check its first line`);
  return Buffer.concat(parts);
};

const decode = (bytes: Buffer, file: TableFile): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${file.shown}: must be UTF-8 text, and line 1 is not; save it as UTF-8`);
  }
};

const splitRecord = (record: string, delimiter: string, quote: string): string[] => {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < record.length; at++) {
    const char = record[at];
    if (quoted && char === quote && record[at + 1] === quote) {
      field += quote;
      at++;
    } else if (char === quote && (quoted || field === '')) {
      quoted = !quoted;
    } else if (char === delimiter && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field += char;
    }
  }
  fields.push(field);
  return fields;
};
