import { expect, test } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { sha256 } from './sha256.js';

test('the two examples of FIPS 180-4 and the empty message have their published digests', () => {
  const of = (text: string) => sha256(new TextEncoder().encode(text));
  expect(of('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(of('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(of('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  );
});

test('every length around the block boundaries, and some long ones, agree with Web Crypto', async () => {
  const random = seeded(3);
  for (const length of [...Array(200).keys(), 1000, 4095, 4096, 100_001]) {
    const bytes = Uint8Array.from({ length }, () => random.uint32());
    const expected = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    expect(sha256(bytes)).toBe(Array.from(expected, (byte) => byte.toString(16).padStart(2, '0')).join(''));
  }
});
