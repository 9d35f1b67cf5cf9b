import { InputError } from '../domain/input-error.js';
import { bytesText, limits } from '../domain/limits.js';
import { parseJson } from '../domain/parse-json.js';
import { sha256 } from '../privacy/ledger/sha256.js';

// The text ends with the SHA-256 of every byte before this closing, so that a change anywhere in it shows.
const before = ',\n  "sha256": "';
const after = '"\n}\n';
const closing = before.length + 64 + after.length;

/** A member of the top object; lists get a line for each element, so that people can read and compare them. */
const member = ([key, value]: [string, unknown]): string => {
  const lines = Array.isArray(value) ? value.map((element) => `\n    ${JSON.stringify(element)}`).join(',') : undefined;
  const text = lines === undefined ? JSON.stringify(value) : lines === '' ? '[]' : `[${lines}\n  ]`;
  return `  ${JSON.stringify(key)}: ${text}`;
};

/** An object as JSON that ends with its own hash, under `sha256`. Equal objects have equal texts; what is undefined is left out. */
export const sealJson = (object: object): string => {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  const body = `{\n${members.map(member).join(',\n')}`;
  return `${body}${before}${sha256(new TextEncoder().encode(body))}${after}`;
};

export interface Unsealed {
  /** The parsed JSON, with its `sha256`. */
  readonly json: unknown;
  /** Whether the text is exactly as it was written. */
  readonly intact: boolean;
}

/** Parses what `sealJson` wrote; what is no JSON is an `InputError` that begins with `name`. */
export const unsealJson = (bytes: Uint8Array, name: string): Unsealed => {
  if (bytes.length > limits.jsonBytes)
    throw new InputError(
      `${name}: must have at most ${bytesText(limits.jsonBytes)}, got ${bytesText(bytes.length)}; restore it from a copy`,
    );
  let json: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    json = parseJson(text, name);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${name}: must be JSON as surmise wrote it, got a damaged file; restore it from a copy`);
  }
  // The closing is ASCII, so its length in bytes is that in characters.
  const expected = `${before}${sha256(bytes.subarray(0, Math.max(0, bytes.length - closing)))}${after}`;
  return { json, intact: text.endsWith(expected) };
};
