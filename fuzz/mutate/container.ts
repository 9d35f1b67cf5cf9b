import { mutateJsonText } from './json.js';
import { below, type Mutator, oneOf } from './mutator.js';

const prefix = 16;
const widths: Readonly<Record<string, number>> = { u8: 1, u16: 2, u32: 4, i32: 4, f32: 4, f64: 8 };
const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

interface Described {
  name: string;
  type: string;
  length: number;
}

const split = (bytes: Uint8Array): { header: string; start: number } | undefined => {
  if (bytes.length < prefix) return undefined;
  const start = prefix + new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(8, true);
  if (start > bytes.length) return undefined;
  return { header: new TextDecoder().decode(bytes.subarray(prefix, start)), start };
};

const joined = (bytes: Uint8Array, header: string, body: Uint8Array): Uint8Array => {
  const text = new TextEncoder().encode(header);
  const start = padded(prefix + text.length);
  const out = new Uint8Array(start + body.length);
  out.set(bytes.subarray(0, Math.min(8, bytes.length)));
  new DataView(out.buffer).setUint32(8, start - prefix, true);
  out.set(text, prefix);
  out.fill(0x20, prefix + text.length, start);
  out.set(body, start);
  return out;
};

const interesting = [0, 1, 2, 3, 255, 256, 65535, 2 ** 31, 2 ** 32 - 1];
const doubles = [0, -0, 1, -1, 0.5, 1e-320, 1e308, -1e308, Number.NaN, Infinity, -Infinity, 2 ** 53];

/** Another header over the same arrays. */
const changeHeader: Mutator = (bytes, other, random) => {
  const [own, donor] = [split(bytes), split(other)];
  if (own === undefined) return bytes;
  const words = [
    'kind',
    'meta',
    'arrays',
    'name',
    'type',
    'length',
    'total',
    'approximate',
    'keys',
    'rows',
    'u8',
    'u32',
    'f64',
    'models',
  ];
  const header = mutateJsonText(own.header, donor?.header ?? '{}', words, random);
  return header === undefined ? bytes : joined(bytes, header, bytes.subarray(own.start));
};

/** Other numbers in an array, or another length of it, with a header that fits. */
const changeArray: Mutator = (bytes, _, random) => {
  const own = split(bytes);
  if (own === undefined) return bytes;
  let header: { arrays?: Described[] };
  try {
    header = JSON.parse(own.header);
  } catch {
    return bytes;
  }
  const arrays = header.arrays;
  if (!Array.isArray(arrays) || arrays.length === 0) return bytes;
  let offset = own.start;
  const places = arrays.map((array) => {
    const at = offset;
    offset += padded((widths[array?.type] ?? 1) * (array?.length ?? 0));
    return at;
  });
  if (!(offset <= bytes.length)) return bytes;
  const which = below(arrays.length, random);
  const { type, length } = arrays[which];
  const width = widths[type] ?? 1;
  if (below(3, random) === 0) {
    const next = oneOf([0, 1, length - 1, length + 1, length * 2], random);
    if (!(next >= 0 && next < 1e5)) return bytes;
    const part = new Uint8Array(padded(next * width));
    part.set(bytes.subarray(places[which], places[which] + Math.min(length, next) * width));
    arrays[which] = { ...arrays[which], length: next };
    const after = places[which] + padded(length * width);
    const body = new Uint8Array(places[which] - own.start + part.length + bytes.length - after);
    body.set(bytes.subarray(own.start, places[which]));
    body.set(part, places[which] - own.start);
    body.set(bytes.subarray(after), places[which] - own.start + part.length);
    return joined(bytes, JSON.stringify(header), body);
  }
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  for (let left = 1 + below(3, random); left > 0 && length > 0; left--) {
    const at = places[which] + below(length, random) * width;
    if (type === 'f64') view.setFloat64(at, oneOf(doubles, random), true);
    else if (type === 'f32') view.setFloat32(at, oneOf(doubles, random), true);
    else if (width === 4) view.setUint32(at, oneOf([...interesting, below(16, random)], random), true);
    else if (width === 2) view.setUint16(at, oneOf(interesting, random), true);
    else out[at] = oneOf(interesting, random);
  }
  return out;
};

/** Changes a binary file of named arrays and keeps it one. */
export const mutateContainer: Mutator = (bytes, other, random) =>
  (below(2, random) === 0 ? changeHeader : changeArray)(bytes, other, random);
