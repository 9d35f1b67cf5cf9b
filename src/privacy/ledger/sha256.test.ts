import { expect, test } from 'vitest';
import { hashing, sha256 } from './sha256.js';

test('the two examples of FIPS 180-4 and the empty message have their published digests', () => {
  const of = (text: string) => sha256(new TextEncoder().encode(text));
  expect(of('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(of('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(of('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe(
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  );
});
test('in turns it is what it is at once', () => {
  for (const length of [0, 1, 2 ** 21, 2 ** 22 + 5]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * i) >> 3);
    const turns = hashing(bytes);
    let count = 0;
    let turn = turns.next();
    for (; !turn.done; turn = turns.next()) count++;
    expect(turn.value).toBe(sha256(bytes));
    expect(count).toBe(Math.ceil(length / 2 ** 21));
  }
});
