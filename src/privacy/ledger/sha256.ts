import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * The SHA-256 of the bytes, as 64 lower-case hexadecimal digits. At once and everywhere: Web Crypto answers with a promise, and on
 * pages without a secure context not at all.
 */
export const sha256 = (bytes: Uint8Array): string => bytesToHex(digest(bytes));
