import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import { plainWriter } from '../../src/domain/format/column-format.js';
import { formatOf, type TableFormat } from '../../src/domain/format/table-format.js';
import { InputError } from '../../src/domain/input-error.js';
import { privateFolder } from '../private/private-folder.js';
import type { SqlTable } from '../sql/sql-table.js';
import { type TableFile, writtenAs } from './table-file.js';
import { workbookCopy } from './xlsx/workbook-copy.js';

let functions = 0;

/** The table with its numbers and dates as everybody writes them: columns that the format is about go through a function of the connection. */
export const plainRelation = async (
  connection: DuckDBConnection,
  relation: SqlTable,
  table: TableFormat | undefined,
  specs: readonly Pick<AttributeSpec, 'name' | 'type'>[],
): Promise<SqlTable> => {
  if (table === undefined) return relation;
  const { DuckDBScalarFunction, VARCHAR } = await import('@duckdb/node-api');
  const columns = relation.columns.map((column) => {
    const spec = specs.find(({ name }) => name === column.name);
    const format = spec && formatOf(table, spec);
    if (format === undefined || column.kind !== 'text') return column;
    const write = plainWriter(format);
    const name = `plain_${++functions}`;
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        parameterTypes: [VARCHAR],
        returnType: VARCHAR,
        mainFunction: (_, input, output) => {
          const values = input.getColumnVector(0);
          for (let i = 0; i < input.rowCount; i++) {
            const text = values.getItem(i) as string | null;
            output.setItem(i, text === null ? null : write(text));
          }
          output.flush();
        },
      }),
    );
    return { ...column, sql: `${name}(${column.sql})` };
  });
  return { ...relation, columns };
};

/** A file that can be read as it is, or a copy of it in UTF-8 that is to be removed. */
export interface ReadableFile {
  readonly file: TableFile;
  remove(): Promise<void>;
}

/** A file as its format says it is written. In another encoding than UTF-8, and of a workbook its sheet as CSV, it is copied into a folder that only this user can read. */
export const readableFile = async (
  found: TableFile,
  table: TableFormat | undefined,
  temporary?: string,
): Promise<ReadableFile> => {
  if (found.format === 'xlsx') return workbookCopy(found, temporary);
  const file = writtenAs(found, table);
  const encoding = table?.encoding ?? 'utf-8';
  if (encoding === 'utf-8' || file.empty || file.format === 'parquet') return { file, remove: async () => undefined };
  const folder = await privateFolder(temporary);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, 'table');
    const decoder = new TextDecoder(encoding, { fatal: true });
    const bytes = createReadStream(file.path);
    const raw = file.gzip ? bytes.pipe(createGunzip()) : bytes;
    bytes.on('error', (error) => raw.destroy(error));
    async function* texts() {
      for await (const part of raw) yield decoder.decode(part as Buffer, { stream: true });
      yield decoder.decode();
    }
    await pipeline(Readable.from(texts()), createWriteStream(copy, { mode: 0o600 }));
    return { file: { ...file, path: copy, gzip: false }, remove };
  } catch {
    await remove();
    throw new InputError(
      `${file.shown}: must be text in ${encoding}, and it is not; name its encoding in the schema, or save it as UTF-8`,
    );
  }
};
