import { afterEach, describe, expect, it, vi } from 'vitest';
import { goodnessOfFit } from '../../experiments/statistics/chi-square.js';
import { uniformInteger } from '../random/uniform.js';
import { type Entropy, seededEntropy, webEntropy } from './entropy.js';

const WORDS = 16_384;
const take = (entropy: Entropy, count: number): Uint32Array => Uint32Array.from({ length: count }, entropy.uint32);

describe('entropy', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('from Web Crypto is not marked as seeded, from a seed is', () => {
    expect(webEntropy().seeded).toBe(false);
    expect(seededEntropy(1).seeded).toBe(true);
  });

  it('hands out every word of each fetched block once, in order, and wipes it', () => {
    let block = new Uint32Array();
    let fetched = new Uint32Array();
    const real = globalThis.crypto.getRandomValues.bind(globalThis.crypto);
    const spy = vi.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation((array) => {
      block = real(array as unknown as Uint32Array<ArrayBuffer>);
      fetched = block.slice();
      return array;
    });
    const entropy = webEntropy();
    expect(spy).not.toHaveBeenCalled();
    for (let round = 1; round <= 3; round++) {
      const words = take(entropy, WORDS);
      expect(spy).toHaveBeenCalledTimes(round);
      expect(block.byteLength).toBe(65_536);
      expect(words.join()).toBe(fetched.join());
      expect(block.every((word) => word === 0)).toBe(true);
    }
  });

  it('wipes a word as soon as it is used', () => {
    let block = new Uint32Array();
    vi.spyOn(globalThis.crypto, 'getRandomValues').mockImplementation((array) => {
      block = (array as unknown as Uint32Array<ArrayBuffer>).fill(7);
      return array;
    });
    const entropy = webEntropy();
    take(entropy, 5);
    expect([...block.subarray(0, 7)]).toEqual([0, 0, 0, 0, 0, 7, 7]);
  });

  it('never repeats a block, within one source or between two', () => {
    const [one, two] = [webEntropy(), webEntropy()];
    const blocks = [one, one, one, two, two].map((entropy) => take(entropy, WORDS).join());
    expect(new Set(blocks).size).toBe(5);
  });

  it('has balanced bits and bytes (false alarms 1e-8 each)', () => {
    for (const entropy of [webEntropy(), seededEntropy(3)]) {
      const words = take(entropy, 4 * WORDS);
      for (let bit = 0; bit < 32; bit++) {
        const ones = words.reduce((sum, word) => sum + ((word >>> bit) & 1), 0);
        expect(goodnessOfFit([ones, words.length - ones], [0.5, 0.5]).fits).toBe(true);
      }
      const bytes = new Float64Array(256);
      for (const byte of new Uint8Array(words.buffer)) bytes[byte]++;
      expect(goodnessOfFit(bytes, Array(256).fill(1 / 256)).fits).toBe(true);
    }
  });

  it('follows its seed', () => {
    expect(take(seededEntropy(5), 100)).toEqual(take(seededEntropy(5), 100));
    expect(take(seededEntropy(5), 100)).not.toEqual(take(seededEntropy(6), 100));
  });

  it('gives integers below a bound exactly uniformly: every word is used alike or rejected', () => {
    // Of the 2^32 words, those below the largest multiple of the bound count; walking the residues of both ends shows it.
    for (const bound of [3, 10, 2 ** 31 + 1]) {
      const limit = 2 ** 32 - (2 ** 32 % bound);
      let calls = 0;
      const scripted = (words: number[]) => ({ uint32: () => words[calls++] });
      expect(uniformInteger(scripted([limit - 1]), bound)).toBe(bound - 1);
      calls = 0;
      expect(uniformInteger(scripted([limit, 2]), bound)).toBe(2);
      expect(calls).toBe(2);
    }
  });
});
