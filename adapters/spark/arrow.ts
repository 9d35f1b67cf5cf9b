import type { SqlValue } from '../sql/connection.js';

/*
 * Reads Arrow's stream of messages (Schema, RecordBatch) as far as answers need it: whole numbers and texts, not compressed. The metadata are Flatbuffers:
 * a table is reached by offsets, and its fields by their place in its list (Message.fbs, Schema.fbs of Apache Arrow).
 */

/** What an Arrow type is, by its number in the union `Type`. */
const typeNames = ['', 'null', 'int', 'float', 'binary', 'utf8', 'bool', 'decimal', 'date', 'time', 'timestamp'];
const largeUtf8 = 20;

export interface ArrowField {
  readonly name: string;
  readonly type: string;
  /** Of whole numbers, and whether they have a sign. */
  readonly bits: number;
  readonly isSigned: boolean;
}

/** What one stream holds: its columns, and its rows. */
export interface ArrowRows {
  readonly fields: readonly ArrowField[];
  readonly rows: SqlValue[][];
}

/** A table of a Flatbuffer: where it begins, and what its fields are. */
const tableAt = (view: DataView, at: number) => {
  const list = at - view.getInt32(at, true);
  const length = view.getUint16(list, true);
  /** Where a field's value is, or 0 where it is not said. */
  const field = (place: number): number => {
    const entry = 4 + 2 * place;
    const offset = entry + 2 > length ? 0 : view.getUint16(list + entry, true);
    return offset === 0 ? 0 : at + offset;
  };
  /** Where what a field refers to begins. */
  const referred = (place: number): number => {
    const found = field(place);
    return found === 0 ? 0 : found + view.getUint32(found, true);
  };
  return { field, referred };
};

const textAt = (view: DataView, at: number): string =>
  at === 0 ? '' : Buffer.from(view.buffer, view.byteOffset + at + 4, view.getUint32(at, true)).toString('utf8');

const fieldsOfSchema = (view: DataView, schema: number): ArrowField[] => {
  const vector = tableAt(view, schema).referred(1);
  return Array.from({ length: vector === 0 ? 0 : view.getUint32(vector, true) }, (_, i) => {
    const at = vector + 4 + 4 * i;
    const field = tableAt(view, at + view.getUint32(at, true));
    const kind = field.field(2) === 0 ? 0 : view.getUint8(field.field(2));
    const type = kind === largeUtf8 ? 'large utf8' : (typeNames[kind] ?? 'nested');
    const [bits, sign] = kind === 2 ? [0, 1].map((place) => tableAt(view, field.referred(3)).field(place)) : [0, 0];
    return {
      name: textAt(view, field.referred(0)),
      type,
      bits: bits === 0 ? 0 : view.getInt32(bits, true),
      isSigned: sign !== 0 && view.getUint8(sign) === 1,
    };
  });
};

/** The body of a batch, column by column, in the order of its buffers. */
const rowsOfBatch = (view: DataView, batch: number, body: DataView, fields: readonly ArrowField[]): SqlValue[][] => {
  const table = tableAt(view, batch);
  const length = table.field(0) === 0 ? 0 : Number(view.getBigInt64(table.field(0), true));
  if (length === 0) return [];
  if (table.field(3) !== 0) throw new Error('Arrow: must not be compressed');
  const buffers = table.referred(2);
  let next = 0;
  const buffer = (): number => Number(view.getBigInt64(buffers + 4 + 16 * next++, true));
  const columns = fields.map(({ type, bits }): ((row: number) => SqlValue) => {
    if (type === 'null') return () => null;
    const validAt = buffers + 4 + 16 * next;
    const hasNulls = view.getBigInt64(validAt + 8, true) > 0n;
    const valid = buffer();
    const isValid = (row: number): boolean => !hasNulls || ((body.getUint8(valid + (row >> 3)) >> (row & 7)) & 1) === 1;
    const value = valueAt(type, bits, body, buffer);
    return (row) => (isValid(row) ? value(row) : null);
  });
  return Array.from({ length }, (_, row) => columns.map((at) => at(row)));
};

const valueAt = (type: string, bits: number, body: DataView, buffer: () => number): ((row: number) => SqlValue) => {
  if (type === 'int') {
    const values = buffer();
    if (bits === 64) return (row) => body.getBigInt64(values + 8 * row, true);
    if (bits === 32) return (row) => body.getInt32(values + 4 * row, true);
    if (bits === 16) return (row) => body.getInt16(values + 2 * row, true);
    return (row) => body.getInt8(values + row);
  }
  if (type === 'bool') {
    const values = buffer();
    return (row) => ((body.getUint8(values + (row >> 3)) >> (row & 7)) & 1) === 1;
  }
  if (type === 'utf8' || type === 'large utf8') {
    const [ends, texts] = [buffer(), buffer()];
    const end =
      type === 'utf8'
        ? (i: number) => body.getInt32(ends + 4 * i, true)
        : (i: number) => Number(body.getBigInt64(ends + 8 * i, true));
    return (row) =>
      Buffer.from(body.buffer, body.byteOffset + texts + end(row), end(row + 1) - end(row)).toString('utf8');
  }
  throw new Error(`Arrow: answers are whole numbers, truths and texts, got ${type}`);
};

const [schemaMessage, batchMessage] = [1, 3];

/** Reads one stream. Columns of other types are named, and refused where there are rows. */
export const readArrow = (bytes: Uint8Array): ArrowRows => {
  const whole = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let fields: ArrowField[] = [];
  const rows: SqlValue[][] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    // Newer writers begin a message with a mark of four bytes.
    const isMarked = whole.getUint32(at, true) === 0xffffffff;
    const size = whole.getInt32(isMarked ? at + 4 : at, true);
    if (size === 0) break;
    const start = at + (isMarked ? 8 : 4);
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, size);
    const told = tableAt(view, view.getUint32(0, true));
    const kind = view.getUint8(told.field(1));
    const bodyLength = told.field(3) === 0 ? 0 : Number(view.getBigInt64(told.field(3), true));
    if (kind === schemaMessage) fields = fieldsOfSchema(view, told.referred(2));
    else if (kind === batchMessage) {
      const body = new DataView(bytes.buffer, bytes.byteOffset + start + size, bodyLength);
      for (const row of rowsOfBatch(view, told.referred(2), body, fields)) rows.push(row);
    } else throw new Error('Arrow: a message of an unknown kind');
    at = start + size + bodyLength;
  }
  return { fields, rows };
};
