import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { tableBlob, tableParts } from './table-blob.js';

/** The type of a column, and how the text of a value becomes one of it. */
interface ParquetColumn {
  readonly type: 'BYTE_ARRAY' | 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'INT32';
  readonly converted?: 'UTF8' | 'DATE' | undefined;
  read(text: string): string | boolean | bigint | number | Date;
}

const columns: { readonly [Type in AttributeSpec['type']]: ParquetColumn } = {
  category: { type: 'BYTE_ARRAY', converted: 'UTF8', read: (text) => text },
  boolean: { type: 'BOOLEAN', read: (text) => text === 'true' },
  integer: { type: 'INT64', read: (text) => BigInt(text) },
  number: { type: 'DOUBLE', read: Number },
  date: { type: 'INT32', converted: 'DATE', read: (text) => new Date(`${text}T00:00:00Z`) },
};

/** Keys and sizes of households, which are whole numbers, are columns without a declaration. */
const undeclared: AttributeSpec['type'] = 'integer';

/** Synthetic rows in CSV, as a release has them, as Parquet of the types that its schema declares. What writes it is loaded when it is asked for. */
export const writeParquet = async (
  csv: Uint8Array,
  { attributes }: Pick<Schema, 'attributes'>,
): Promise<ArrayBuffer> => {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const typeOf = (name: string) => columns[attributes.find((one) => one.name === name)?.type ?? undeclared];
  let names: readonly string[] = [];
  let values: ReturnType<ParquetColumn['read']>[][] = [];
  const blob = new Blob([csv as Uint8Array<ArrayBuffer>]);
  for await (const part of tableParts(tableBlob('synthetic.csv', blob))) {
    if (names.length === 0) {
      names = part.names;
      values = names.map(() => []);
    }
    for (const [a, name] of names.entries()) {
      const { read } = typeOf(name);
      // An empty field is nothing, whatever its column holds.
      for (const text of part.columns[a])
        values[a].push(text === '' || text === null ? (null as never) : read(String(text)));
    }
  }
  return parquetWriteBuffer({
    columnData: names.map((name, a) => ({ name, data: values[a] })),
    schema: [
      { name: 'root', num_children: names.length },
      ...names.map((name) => {
        const { type, converted } = typeOf(name);
        return {
          name,
          type,
          repetition_type: 'OPTIONAL' as const,
          ...(converted === undefined ? {} : { converted_type: converted }),
        };
      }),
    ],
  });
};
