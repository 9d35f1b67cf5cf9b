import type { Random } from './random.js';

/** A fast seeded generator (sfc32), for reproducible work that no privacy depends on. */
export const seeded = (seed: number): Random => {
  let a = 0x9e3779b9 | 0;
  let b = (seed >>> 0) | 0;
  let c = Math.floor(seed / 0x100000000) | 0;
  let counter = 1;
  const uint32 = () => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 16; i++) uint32();
  return { uint32 };
};
