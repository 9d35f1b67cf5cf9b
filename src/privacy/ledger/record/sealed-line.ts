import { sha256 } from '../sha256.js';
import type { Plain } from './plain.js';

// A line is JSON whose last member is the SHA-256 of every byte before it. The two spaces make this closing unlike anything
// inside a record: JSON.stringify writes none between tokens, and inside a string the quotes would be escaped. So a
// record cut short never looks whole, and a whole one with a flipped bit still does.
export const beforeHash = ', "hash": "';
const after = '"}';
const closing = beforeHash.length + 64 + after.length;

/** Writes a line: its bytes (no newline), and its hash. */
export const sealLine = (body: {
  readonly [key: string]: Plain;
}): { readonly line: Uint8Array<ArrayBuffer>; readonly hash: string } => {
  const open = JSON.stringify(body).slice(0, -1);
  const digest = sha256(new TextEncoder().encode(open));
  return { line: new TextEncoder().encode(`${open}${beforeHash}${digest}${after}`), hash: digest };
};

/** Whether bytes (without their newline) end with the hash of what is before it. */
export const isSealed = (bytes: Uint8Array): boolean => {
  const start = Math.max(0, bytes.length - closing);
  const end = String.fromCharCode(...bytes.subarray(start));
  return end === `${beforeHash}${sha256(bytes.subarray(0, start))}${after}`;
};
