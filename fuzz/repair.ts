import { createHash } from 'node:crypto';
import { type Files, pack, unpack } from './archive.js';

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const seal = /,\s*"sha256"\s*:\s*"[^"]*"\s*\}\s*$/;

/**
 * The seal at the end of bundle.json and estimate.json, made anew as docs/bundle.md says. Written a second time here, so that the product
 * is not its own judge.
 */
const resealed = (bytes: Uint8Array): Uint8Array => {
  const text = new TextDecoder().decode(bytes);
  const body = seal.test(text) ? text.replace(seal, '') : text.replace(/\}\s*$/, '');
  return new TextEncoder().encode(`${body},\n  "sha256": "${hashOf(new TextEncoder().encode(body))}"\n}\n`);
};

/** Sizes and hashes of the other files in the file that lists them, and its own seal. */
export const resealedFiles = (bytes: Uint8Array, listing: string): Uint8Array => {
  const files: Record<string, Uint8Array> = { ...unpack(bytes) };
  if (files[listing] === undefined) return bytes;
  let text = new TextDecoder().decode(files[listing]);
  for (const [name, own] of Object.entries(files)) {
    if (name === listing) continue;
    const entry = new RegExp(
      `("name"\\s*:\\s*"${name.replaceAll('.', '\\.')}"\\s*,\\s*"bytes"\\s*:\\s*)\\d+(\\s*,\\s*"sha256"\\s*:\\s*)"[0-9a-f]*"`,
    );
    text = text.replace(entry, (_, before, between) => `${before}${own.length}${between}"${hashOf(own)}"`);
  }
  files[listing] = resealed(new TextEncoder().encode(text));
  return pack(files as Files);
};

/** Links and hashes of the lines of a ledger. */
export const relinked = (bytes: Uint8Array): Uint8Array => {
  let before = '0'.repeat(64);
  const lines = new TextDecoder()
    .decode(bytes)
    .split('\n')
    .map((line) => {
      const open = line.replace(/,\s*"hash"\s*:\s*"[^"]*"\s*\}\s*$/, '').replace(/\}\s*$/, '');
      if (!open.startsWith('{')) return line;
      const linked = open.replace(/("prev"\s*:\s*)"[^"]*"/, (_, key) => `${key}"${before}"`);
      before = hashOf(new TextEncoder().encode(linked));
      return `${linked}, "hash": "${before}"}`;
    });
  return new TextEncoder().encode(lines.join('\n'));
};
