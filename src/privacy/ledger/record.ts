import * as v from 'valibot';
import { parseJson } from '../../domain/parse-json.js';
import { parseAmount } from '../accounting/amount.js';
import { chargeFromJson } from './charge-json.js';
import type { Json } from './ledger.js';
import { sha256 } from './sha256.js';

/** The only format there is; a ledger of another one is refused. */
export const ledgerFormat = 'surmise-ledger/1';

/** What the first record points back to. */
export const noHash = '0'.repeat(64);

const amount = v.pipe(
  v.string(),
  v.regex(/^\d+(\.\d+)?$/),
  v.transform((text) => parseAmount(text)),
);
const sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const json = v.custom<Json>(() => true);
/** On every record: its place, when it was written, a nonce that makes no two records alike, and the record before it. */
const common = { seq: sequence, time: v.string(), nonce: v.string(), prev: hash, hash };

const shape = v.variant('kind', [
  v.strictObject({
    kind: v.literal('open'),
    format: v.literal(ledgerFormat),
    dataset: v.string(),
    currency: v.picklist(['pure', 'zcdp']),
    total: amount,
    epsilon: v.optional(amount),
    delta: v.optional(v.string()),
    ...common,
  }),
  v.strictObject({ kind: v.literal('reserve'), amount, what: v.string(), ...common }),
  v.strictObject({
    kind: v.literal('commit'),
    reservation: sequence,
    amount,
    charges: v.pipe(
      v.array(v.unknown()),
      v.transform((charges) => charges.map(chargeFromJson)),
    ),
    detail: v.optional(json),
    ...common,
  }),
  v.strictObject({ kind: v.literal('cancel'), reservation: sequence, why: v.string(), ...common }),
]);

/** One line of a ledger, read and checked. */
export type LedgerRecord = v.InferOutput<typeof shape>;

/**
 * What a stretch of bytes between newlines is: a record whose hash is right; what a write that never finished left behind
 * (it was never acted upon); or a whole record that no longer is what was written.
 */
export type Line =
  | { readonly kind: 'record'; readonly record: LedgerRecord }
  | { readonly kind: 'torn' }
  | { readonly kind: 'damaged'; readonly why: string };

// A line is JSON whose last member is the SHA-256 of every byte before it. The two spaces make this closing unlike anything
// inside a record: JSON.stringify writes none between tokens, and inside a string the quotes would be escaped. So a
// record cut short never looks whole, and a whole one with a flipped bit still does.
const before = ', "hash": "';
const after = '"}';
const closing = before.length + 64 + after.length;

/** Writes a record: the bytes of its line (no newline), and its hash. */
export const writeRecord = (
  body: { readonly [key: string]: Json | undefined } & { readonly prev: string },
): { readonly line: Uint8Array<ArrayBuffer>; readonly hash: string } => {
  const open = JSON.stringify(body).slice(0, -1);
  const digest = sha256(new TextEncoder().encode(open));
  return { line: new TextEncoder().encode(`${open}${before}${digest}${after}`), hash: digest };
};

/** Whether this is the end of a whole record, up to three bad characters. */
const looksWhole = (end: string): boolean => {
  let bad = 0;
  for (let i = 0; i < closing; i++) {
    const inHash = i >= before.length && i < before.length + 64;
    const good = inHash
      ? /[0-9a-f]/.test(end[i])
      : end[i] === (i < before.length ? before[i] : after[i - before.length - 64]);
    if (!good) bad++;
  }
  return bad <= 3;
};

/** Reads one line (without its newline). */
export const readLine = (bytes: Uint8Array): Line => {
  if (bytes.length < closing) return { kind: 'torn' };
  const digest = sha256(bytes.subarray(0, bytes.length - closing));
  const end = String.fromCharCode(...bytes.subarray(bytes.length - closing));
  if (end !== `${before}${digest}${after}`)
    return looksWhole(end) ? { kind: 'damaged', why: 'its hash is not that of its text' } : { kind: 'torn' };
  try {
    const value: unknown = parseJson(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      'ledger',
    );
    const record = v.safeParse(shape, value);
    if (record.success) return { kind: 'record', record: record.output };
  } catch {
    // Not JSON, or amounts or charges that cannot be read: told below.
  }
  return { kind: 'damaged', why: 'it is not a record of this format' };
};
