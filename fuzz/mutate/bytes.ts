import { below, type Mutator, oneOf } from './mutator.js';

const numbers = [
  0,
  1,
  2,
  7,
  8,
  16,
  127,
  128,
  255,
  256,
  1000,
  65535,
  65536,
  2 ** 20,
  2 ** 27,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
];

const splice = (bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array => {
  const out = new Uint8Array(bytes.length - removed + added.length);
  out.set(bytes.subarray(0, at));
  out.set(added, at);
  out.set(bytes.subarray(at + removed), at + added.length);
  return out;
};

const steps: readonly Mutator[] = [
  (bytes, _, random) => {
    const out = bytes.slice();
    if (out.length > 0) out[below(out.length, random)] ^= 1 << below(8, random);
    return out;
  },
  (bytes, _, random) => {
    const out = bytes.slice();
    if (out.length > 0) out[below(out.length, random)] = below(256, random);
    return out;
  },
  (bytes, _, random) => {
    const at = below(bytes.length, random);
    return splice(bytes, at, Math.min(bytes.length - at, 1 + below(32, random)), new Uint8Array());
  },
  (bytes, _, random) => {
    const at = below(bytes.length, random);
    const part = bytes.slice(at, at + 1 + below(64, random));
    return splice(bytes, below(bytes.length + 1, random), 0, part);
  },
  (bytes, other, random) => {
    const at = below(other.length, random);
    const part = other.slice(at, at + 1 + below(128, random));
    return splice(bytes, below(bytes.length + 1, random), 0, part);
  },
  (bytes, _, random) => bytes.slice(0, below(bytes.length + 1, random)),
  (bytes, _, random) => {
    const out = bytes.slice();
    if (out.length >= 4)
      new DataView(out.buffer).setUint32(below(out.length - 3, random), oneOf(numbers, random), true);
    return out;
  },
  (bytes, _, random) => {
    const out = bytes.slice();
    out.fill(oneOf([0, 0x20, 0xff], random), below(bytes.length + 1, random));
    return out;
  },
  (bytes, _, random) =>
    splice(
      bytes,
      below(bytes.length + 1, random),
      0,
      Uint8Array.from({ length: 1 + below(8, random) }, () => below(256, random)),
    ),
];

/** Flips, cuts, copies and numbers that make allocations large: knows nothing of what the bytes mean. */
export const mutateBytes: Mutator = (bytes, other, random) => {
  let out = bytes;
  for (let left = 1 + below(4, random); left > 0; left--) out = oneOf(steps, random)(out, other, random);
  return out;
};
