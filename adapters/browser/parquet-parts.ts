import { InputError } from '../../src/domain/input-error.js';
import type { ReadPartsOptions, TableBlob, TablePart } from './table-part.js';

/** Rows read at a time: a part of a row group, so that memory does not depend on how the file was written. */
const partRows = 1 << 16;

/** A value of Parquet as its text, or a double as a number; undefined for lists and structures. */
const plain = (value: unknown): string | number | null | undefined => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) {
    const text = value.toISOString();
    return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace('T', ' ').replace('Z', '');
  }
  return undefined;
};

/** The rows of a Parquet file, in parts; the first part has the names and no rows. What reads it is loaded when it is asked for. */
export async function* parquetParts(table: TableBlob, options: ReadPartsOptions): AsyncGenerator<TablePart> {
  const { name, blob } = table;
  const [{ parquetMetadataAsync, parquetReadObjects, parquetSchema }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ]);
  const file = {
    byteLength: blob.size,
    slice: (start: number, end?: number) => blob.slice(start, end).arrayBuffer(),
  };
  const reading = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof InputError) throw error;
      // What a reader of bytes says may hold some of them.
      throw new InputError(`${name}: must be a whole Parquet file, and it could not be read as one; save it again`);
    }
  };
  const metadata = await reading(() => parquetMetadataAsync(file));
  const columns = parquetSchema(metadata).children.filter(({ children }) => children.length === 0);
  const names = columns.map(({ element }) => element.name);
  if (names.length === 0) throw new InputError(`${name}: must have columns of plain values, got none`);
  yield { names, columns: names.map(() => []) };
  const rows = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < rows; rowStart += partRows) {
    options.signal?.throwIfAborted();
    const rowEnd = Math.min(rows, rowStart + partRows);
    const read = await reading(() =>
      parquetReadObjects({ file, metadata, compressors, columns: names, rowStart, rowEnd }),
    );
    const values = names.map((column) =>
      read.map((row) => {
        const value = plain(row[column]);
        if (value === undefined)
          throw new InputError(
            `${name}: column ${JSON.stringify(column)} must hold plain values, got lists or structures; flatten it first`,
          );
        return value;
      }),
    );
    if (!options.isPrivate) options.onProgress?.({ stage: 'read', done: rowEnd, total: rows });
    yield { names, columns: values };
  }
}
