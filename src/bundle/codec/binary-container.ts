import { InputError } from '../../domain/input-error.js';
import { bytesText, limits } from '../../domain/limits.js';
import { parseJson } from '../../domain/parse-json.js';

/** The types of arrays a container can hold, by the names its header uses. All are little-endian. */
const arrayTypes = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type ArrayType = keyof typeof arrayTypes;

export type ContainerArray =
  | Uint8Array<ArrayBufferLike>
  | Uint16Array<ArrayBufferLike>
  | Uint32Array<ArrayBufferLike>
  | Int32Array<ArrayBufferLike>
  | Float32Array<ArrayBufferLike>
  | Float64Array<ArrayBufferLike>;

/** A few named arrays of numbers and what they are. Data only: nothing in a container is ever executed. */
export interface Container {
  /** What the arrays mean, such as `support`. */
  readonly kind: string;
  /** Small plain JSON about them. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly arrays: Readonly<Record<string, ContainerArray>>;
}

// 8 bytes of name and version, 4 bytes length of the header, 4 bytes zero, the header (JSON, padded with spaces), the arrays
// in the header's order, each padded with zeros to a multiple of 8. Every byte is determined by the content, so equal
// contents are equal files. See docs/bundle.md.
const magic = new TextEncoder().encode('SURMISE1');
const prefix = 16;

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

const typeOf = (array: ContainerArray): ArrayType => {
  const name = (Object.keys(arrayTypes) as ArrayType[]).find((type) => array instanceof arrayTypes[type]);
  if (name === undefined) throw new InputError(`container: arrays must be of ${Object.keys(arrayTypes).join(', ')}`);
  return name;
};

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

const checkPlatform = (): void => {
  if (!isLittleEndian) throw new InputError('container: needs a little-endian machine, got another');
};

/** The bytes of a container. Copies every array once. */
export const writeContainer = ({ kind, meta, arrays }: Container): Uint8Array<ArrayBuffer> => {
  checkPlatform();
  const entries = Object.entries(arrays);
  const described = entries.map(([name, array]) => ({ name, type: typeOf(array), length: array.length }));
  const header = new TextEncoder().encode(JSON.stringify({ kind, meta, arrays: described }));
  const start = padded(prefix + header.length);
  const bytes = new Uint8Array(entries.reduce((size, [, array]) => size + padded(array.byteLength), start));
  bytes.set(magic);
  new DataView(bytes.buffer).setUint32(8, start - prefix, true);
  bytes.set(header, prefix);
  bytes.fill(0x20, prefix + header.length, start);
  let offset = start;
  for (const [, array] of entries) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
    offset += padded(array.byteLength);
  }
  return bytes;
};

const bad = (name: string, why: string): InputError =>
  new InputError(`${name}: must be as surmise wrote it, got ${why}; restore it from a copy`);

const describedArray = (name: string, json: unknown): { name: string; type: ArrayType; length: number } => {
  const {
    name: own,
    type,
    length,
  } = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  if (typeof own !== 'string' || typeof type !== 'string' || !Object.hasOwn(arrayTypes, type))
    throw bad(name, 'an array of unknown type');
  if (!Number.isSafeInteger(length) || (length as number) < 0) throw bad(name, 'an array without a length');
  return { name: own, type: type as ArrayType, length: length as number };
};

/** Reads what `writeContainer` wrote; `name` is for messages. The arrays are copies. Anything else is an `InputError`. */
export const readContainer = (given: Uint8Array, name: string): Container => {
  checkPlatform();
  // A `Buffer` of Node is a Uint8Array whose `slice` does not copy.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.length < prefix || magic.some((byte, i) => bytes[i] !== byte)) throw bad(name, 'another kind of file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = prefix + view.getUint32(8, true);
  if (view.getUint32(12, true) !== 0 || start > bytes.length || start % 8 !== 0) throw bad(name, 'a damaged beginning');
  if (start > limits.headerBytes)
    throw bad(name, `a header of ${bytesText(start)} where ${bytesText(limits.headerBytes)} are the most`);
  let header: { kind?: unknown | undefined; meta?: unknown | undefined; arrays?: unknown | undefined };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(prefix, start));
    header = parseJson(text, name) as typeof header;
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw bad(name, 'a header that is not JSON');
  }
  const { kind, meta, arrays } = header ?? {};
  if (
    typeof kind !== 'string' ||
    kind.length > 100 ||
    typeof meta !== 'object' ||
    meta === null ||
    !Array.isArray(arrays)
  )
    throw bad(name, 'a header without kind, meta and arrays');
  if (arrays.length > limits.arrays) throw bad(name, `${arrays.length} arrays where ${limits.arrays} are the most`);
  let offset = start;
  // Without a prototype: names come from outside, and `__proto__` is one.
  const read: Record<string, ContainerArray> = Object.create(null);
  for (const json of arrays) {
    const { name: own, type, length } = describedArray(name, json);
    const size = length * arrayTypes[type].BYTES_PER_ELEMENT;
    if (offset + padded(size) > bytes.length)
      throw bad(name, `fewer bytes than its header says (${bytes.length} of at least ${offset + padded(size)})`);
    if (Object.hasOwn(read, own)) throw bad(name, 'two arrays of one name');
    // A slice has an aligned buffer of its own wherever `bytes` begins.
    read[own] = new arrayTypes[type](bytes.slice(offset, offset + size).buffer);
    offset += padded(size);
  }
  if (offset !== bytes.length) throw bad(name, 'more bytes than its header says');
  return { kind, meta: meta as Record<string, unknown>, arrays: read };
};
