import { parseDay } from '../../src/domain/attribute/calendar.js';
import { plainNumber } from '../../src/domain/attribute/plain-number.js';
import { InputError } from '../../src/domain/input-error.js';
import { tableForm } from '../table/table-form.js';
import { csvParts } from './csv-parts.js';
import { parquetParts } from './parquet-parts.js';
import type { ReadPartsOptions, TableBlob, TablePart } from './table-part.js';

/** Looks at a chosen file: its name and its size, and nothing in it. */
export const tableBlob = (name: string, blob: Blob): TableBlob => {
  const form = tableForm(name);
  if (form.format === 'xlsx')
    throw new InputError(`${name}: a workbook cannot be read in a browser; save its sheet as CSV (UTF-8)`);
  if (form.format === 'json')
    throw new InputError(
      `${name}: JSON lines are read by the command line, and not in a page; save the table as CSV or Parquet`,
    );
  if (blob.size === 0) throw new InputError(`${name}: must have at least a header, got an empty file`);
  return { name, blob, ...form };
};

/** The bytes of a file that has become another one, or is gone: browsers say `NotReadableError`. */
export const unreadable = (name: string): InputError =>
  new InputError(`${name}: must stay where it is, as it was chosen, and it has changed or gone; choose it again`);

async function* textsOf({ name, blob, gzip }: TableBlob, { written, isPrivate, onProgress, signal }: ReadPartsOptions) {
  const encoding = written?.encoding ?? 'utf-8';
  const decoder = new TextDecoder(encoding, { fatal: true });
  let done = 0;
  const raw = blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
  const counted = raw.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (part, controller) => {
        done += part.length;
        if (!isPrivate) onProgress?.({ stage: 'read', done, total: blob.size });
        controller.enqueue(part);
      },
    }),
  );
  const bytes = gzip ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  const reader = bytes.getReader();
  const next = async () => {
    try {
      return await reader.read();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotReadableError') throw unreadable(name);
      if (gzip && error instanceof TypeError)
        throw new InputError(`${name}: must be a whole gzip file, and it is not or is damaged; compress it again`);
      throw error;
    }
  };
  const decode = (part?: Uint8Array): string => {
    try {
      return part === undefined ? decoder.decode() : decoder.decode(part, { stream: true });
    } catch {
      throw new InputError(`${name}: must be ${encoding.toUpperCase()} text, and it is not; save it as UTF-8`);
    }
  };
  try {
    for (let part = await next(); !part.done; part = await next()) {
      signal?.throwIfAborted();
      yield decode(part.value);
    }
    yield decode();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The rows of a table, in parts; every value is its text, null where Parquet has none. */
export const tableParts = (table: TableBlob, options: ReadPartsOptions = {}): AsyncGenerator<TablePart> => {
  if (table.format === 'parquet') return parquetParts(table, options);
  const { written } = options;
  return csvParts(textsOf(table, options), {
    shown: table.name,
    delimiter: written?.delimiter ?? table.delimiter,
    isDelimiterTold: written?.delimiter !== undefined,
    quote: written?.quote ?? '"',
  });
};

/** The names of the columns: of the header, and no row. An index without a name is not among them. */
export const columnNames = async (table: TableBlob, options: ReadPartsOptions = {}): Promise<readonly string[]> => {
  const parts = tableParts(table, options);
  const first = await parts.next();
  await parts.return(undefined);
  return first.done ? [] : first.value.names.filter((name) => name !== '');
};

/**
 * The same of a private table. Names are published with a release, so a first line that looks like a row is refused: it would be one where the header
 * is missing.
 */
export const privateNames = async (table: TableBlob, options: ReadPartsOptions = {}): Promise<readonly string[]> => {
  const names = await columnNames(table, { ...options, isPrivate: true });
  if (names.some((own) => plainNumber(own) !== undefined || parseDay(own) !== undefined))
    throw new InputError(
      `${table.name}: the first line must be a header, got names that are numbers or dates, as a row has them; add a header`,
    );
  return names;
};
