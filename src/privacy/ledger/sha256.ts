// FIPS 180-4. Web Crypto has SHA-256 too, but only as a promise, which takes about three times as long for a record of a few
// hundred bytes, and not on pages without a secure context. No secret passes through here, so timing does not matter.

/** The first 32 bits of the fractional part of `root` of the first `count` primes, in integers: floor(2^32 p^(1/n)) mod 2^32. */
const rootBits = (count: number, n: 2n | 3n): Int32Array => {
  const out = new Int32Array(count);
  let found = 0;
  for (let p = 2; found < count; p++) {
    let prime = true;
    for (let d = 2; d * d <= p; d++) if (p % d === 0) prime = false;
    if (!prime) continue;
    const target = BigInt(p) << (32n * n);
    let root = 0n;
    for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) if ((root + bit) ** n <= target) root += bit;
    out[found++] = Number(root & 0xffffffffn);
  }
  return out;
};

const start = rootBits(8, 2n);
const constants = rootBits(64, 3n);

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** The SHA-256 of the bytes, as 64 lower-case hexadecimal digits. */
export const sha256 = (bytes: Uint8Array): string => {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);

  const state = start.slice();
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = words[i - 15];
      const y = words[i - 2];
      const small0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const small1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      words[i] = words[i - 16] + small0 + words[i - 7] + small1;
    }
    let a = state[0];
    let b = state[1];
    let c = state[2];
    let d = state[3];
    let e = state[4];
    let f = state[5];
    let g = state[6];
    let h = state[7];
    for (let i = 0; i < 64; i++) {
      const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + big1 + ((e & f) ^ (~e & g)) + constants[i] + words[i]) | 0;
      const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
};
