/** 52 random bits: a seed nobody chose, for sampling and other post-processing, that the result records. */
export const randomSeed = (): number => {
  const [low, high] = globalThis.crypto.getRandomValues(new Uint32Array(2));
  return (high >>> 12) * 0x100000000 + low;
};
