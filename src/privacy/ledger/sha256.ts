import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Turns } from '../../domain/turns.js';

/**
 * The SHA-256 of the bytes, as 64 lower-case hexadecimal digits. At once and everywhere: Web Crypto answers with a promise, and on
 * pages without a secure context not at all.
 */
export const sha256 = (bytes: Uint8Array): string => bytesToHex(digest(bytes));

/** Bytes that are hashed in a turn: some ten milliseconds. */
const turn = 2 ** 21;

/** The same in turns, for files of any size. */
export function* hashing(bytes: Uint8Array): Turns<string> {
  const hash = digest.create();
  for (let from = 0; from < bytes.length; from += turn) {
    hash.update(bytes.subarray(from, from + turn));
    yield;
  }
  return bytesToHex(hash.digest());
}
