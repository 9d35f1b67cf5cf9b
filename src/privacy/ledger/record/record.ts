import * as v from 'valibot';
import { limits } from '../../../domain/limits.js';
import { parseJson } from '../../../domain/parse-json.js';
import { parseAmount } from '../../accounting/amount.js';
import { chargeFromJson } from './charge-json.js';
import { isBeginning } from './line-beginning.js';
import type { Plain } from './plain.js';
import { beforeHash, isSealed, sealLine } from './sealed-line.js';

/** The only format there is; a ledger of another one is refused. */
export const ledgerFormat = 'surmise-ledger/2';

/** What the first record points back to. */
export const noHash = '0'.repeat(64);

const amount = v.pipe(
  v.string(),
  v.regex(/^\d+(\.\d+)?$/),
  v.transform((text) => parseAmount(text)),
);
const sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** The name of a release: 32 hexadecimal digits that nobody else drew. */
export const releaseId = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
/** On every record: its place, when it was written, a nonce that makes no two records alike, and the record before it. */
const common = { seq: sequence, time: v.string(), nonce: v.string(), prev: hash, hash };

/** Whom a guarantee protects, as files have it. */
export const unitShape = v.variant('kind', [
  v.strictObject({ kind: v.literal('row'), maxRecords: v.literal(1) }),
  v.strictObject({
    kind: v.literal('id'),
    column: v.string(),
    maxRecords: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  }),
  v.strictObject({
    kind: v.literal('household'),
    column: v.string(),
    maxRecords: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(limits.persons)),
  }),
  v.strictObject({ kind: v.literal('person'), maxRecords: v.literal(1) }),
]);

export const relationShape = v.picklist(['add-remove', 'replace-one']);

const shape = v.variant('kind', [
  v.strictObject({
    kind: v.literal('open'),
    format: v.literal(ledgerFormat),
    dataset: v.string(),
    relation: relationShape,
    unit: unitShape,
    /** Made for noise from a seed, which protects nobody. */
    seeds: v.optional(v.literal(true)),
    currency: v.picklist(['pure', 'zcdp', 'gdp']),
    total: amount,
    epsilon: v.optional(amount),
    delta: v.optional(v.string()),
    /** Whether its first run may have it counted in gdp. */
    accounting: v.optional(v.literal('first-run')),
    ...common,
  }),
  /** Another total, in the same currency and at the same delta, and why. */
  v.strictObject({
    kind: v.literal('raise'),
    total: amount,
    epsilon: v.optional(amount),
    delta: v.optional(v.string()),
    why: v.string(),
    ...common,
  }),
  /** Which table the ledger is of: hashes that tell nothing without the dataset's name and the table's place. */
  v.strictObject({ kind: v.literal('bind'), path: hash, file: hash, ...common }),
  v.strictObject({
    kind: v.literal('run'),
    amount,
    what: v.string(),
    release: releaseId,
    /** Counted in gdp, as the ledger is from its first run on, or not at all. */
    accounting: v.optional(v.literal('gdp')),
    seeded: v.optional(v.literal(true)),
    ...common,
  }),
  v.strictObject({ kind: v.literal('reserve'), run: sequence, amount, what: v.string(), ...common }),
  v.strictObject({
    kind: v.literal('commit'),
    reservation: sequence,
    release: releaseId,
    amount,
    charges: v.pipe(
      v.array(v.unknown()),
      v.transform((charges) => charges.map((charge) => chargeFromJson(charge))),
    ),
    ...common,
  }),
  v.strictObject({ kind: v.literal('cancel'), reservation: sequence, why: v.string(), ...common }),
  v.strictObject({ kind: v.literal('end'), run: sequence, why: v.string(), ...common }),
]);

/** One line of a ledger, read and checked. */
export type LedgerRecord = v.InferOutput<typeof shape>;

/**
 * What a stretch of bytes between newlines is: a record whose hash is right; the beginning of one, which a write that never
 * finished left behind (it was never acted upon); or anything else, which surmise did not write.
 */
export type Line =
  | { readonly kind: 'record'; readonly record: LedgerRecord }
  | { readonly kind: 'torn' }
  | { readonly kind: 'damaged'; readonly why: string };

/** Writes a record: the bytes of its line (no newline), and its hash. */
export const writeRecord = (
  body: { readonly [key: string]: Plain } & { readonly prev: string },
): ReturnType<typeof sealLine> => sealLine(body);

/** Reads one line (without its newline). */
export const readLine = (bytes: Uint8Array): Line => {
  if (!isSealed(bytes))
    return isBeginning(bytes, beforeHash)
      ? { kind: 'torn' }
      : { kind: 'damaged', why: 'it is neither a record nor the beginning of one' };
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
