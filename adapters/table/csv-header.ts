import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { InputError } from '../../src/domain/input-error.js';
import type { TableFile } from './table-file.js';

const LIMIT = 1 << 20;
const QUOTE = 0x22;

/**
 * The column names in a CSV file's first record (RFC 4180). Read here and not by DuckDB, which renames a repeated name
 * without a word. No message holds a name: what stands there may be a private row, where the header is missing.
 */
export const csvHeader = async (file: TableFile): Promise<string[]> => {
  const names = splitRecord(decode(await firstRecord(file), file), file.delimiter).map((name) => name.trim());
  const seen = new Map<string, number>();
  for (const [i, name] of names.entries()) {
    if (name === '') throw new InputError(`${file.shown}: every column must have a name, got none for column ${i + 1}`);
    const before = seen.get(name);
    if (before !== undefined)
      throw new InputError(
        `${file.shown}: column names must differ, got one name for columns ${before + 1} and ${i + 1}; rename one`,
      );
    seen.set(name, i);
  }
  return names;
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
  const parts: Buffer[] = [];
  let length = 0;
  let quoted = false;
  try {
    for await (const part of stream) {
      for (let at = 0; at < part.length; at++) {
        const byte = part[at];
        if (byte === QUOTE) quoted = !quoted;
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

const splitRecord = (record: string, delimiter: string): string[] => {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < record.length; at++) {
    const char = record[at];
    if (quoted && char === '"' && record[at + 1] === '"') {
      field += '"';
      at++;
    } else if (char === '"' && (quoted || field === '')) {
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
