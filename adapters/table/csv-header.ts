import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { InputError } from '../../src/domain/input-error.js';
import { type CsvHeader, csvNames } from './csv-names.js';
import type { TableFile } from './table-file.js';

const LIMIT = 1 << 20;

/**
 * The column names in a CSV file's first record. Read here and not by DuckDB, which renames a repeated name without a word.
 */
export const csvHeader = async (file: TableFile): Promise<CsvHeader> =>
  csvNames(decode(await firstRecord(file), file), file);

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
    throw new InputError(
      `${file.shown}: must be UTF-8 text, and line 1 is not; save it as UTF-8, or name its encoding, such as windows-1252`,
    );
  }
};
