import { InputError } from '../domain/input-error.js';
import { chargeToJson } from '../privacy/ledger/charge-json.js';
import { sha256 } from '../privacy/ledger/sha256.js';
import { type Manifest, manifestFromJson, manifestName } from './manifest.js';

// The file ends with the SHA-256 of every byte before this closing, so that a change anywhere in it shows.
const before = ',\n  "sha256": "';
const after = '"\n}\n';
const closing = before.length + 64 + after.length;

/** A member of the top object; lists get a line for each element, so that people can read and compare them. */
const member = ([key, value]: [string, unknown]): string => {
  const lines = Array.isArray(value) ? value.map((element) => `\n    ${JSON.stringify(element)}`).join(',') : undefined;
  const text = lines === undefined ? JSON.stringify(value) : lines === '' ? '[]' : `[${lines}\n  ]`;
  return `  ${JSON.stringify(key)}: ${text}`;
};

/** The text of bundle.json. Equal manifests have equal texts. */
export const manifestText = (manifest: Manifest): string => {
  const charges = manifest.charges.map((act) => ({ ...act, charges: act.charges.map(chargeToJson) }));
  const body = `{\n${Object.entries({ ...manifest, charges })
    .map(member)
    .join(',\n')}`;
  return `${body}${before}${sha256(new TextEncoder().encode(body))}${after}`;
};

export interface ReadManifest {
  readonly manifest: Manifest;
  /** Whether the text is exactly as it was written. */
  readonly intact: boolean;
}

/** Reads bundle.json; a text that no longer makes sense is an `InputError`, one that was changed is said to be. */
export const readManifest = (bytes: Uint8Array): ReadManifest => {
  let json: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw new InputError(
      `${manifestName}: must be JSON as surmise wrote it, got a damaged file; restore it from a copy`,
    );
  }
  const manifest = manifestFromJson(json);
  // The closing is ASCII, so its length in bytes is that in characters.
  const expected = `${before}${sha256(bytes.subarray(0, Math.max(0, bytes.length - closing)))}${after}`;
  return { manifest, intact: text.endsWith(expected) };
};
