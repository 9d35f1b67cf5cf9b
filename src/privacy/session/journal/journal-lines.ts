import * as v from 'valibot';
import { InputError } from '../../../domain/input-error.js';
import { parseJson } from '../../../domain/parse-json.js';
import { chargeFromJson, chargeToJson } from '../../ledger/record/charge-json.js';
import type { Plain } from '../../ledger/record/plain.js';
import { releaseId } from '../../ledger/record/record.js';
import { isSealed, sealLine } from '../../ledger/record/sealed-line.js';
import type { JournalEntry } from './journal.js';

/** The only format there is. */
const journalFormat = 'surmise-journal/1';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const rate = v.pipe(v.number(), v.finite(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const place = v.union([count, v.strictObject({ partition: count, group: count })]);

/** What a journal is of: the first of its lines. */
const headerShape = v.strictObject({
  kind: v.literal('open'),
  format: v.literal(journalFormat),
  /** The name of the release in its ledger. */
  release: releaseId,
  /** Of what follows from the noisy answers: with it a release that goes on comes to what it would have come to. */
  seed: count,
  /** A digest of all that was asked for. */
  request: hash,
  /** The command that it goes on with, for people. */
  how: v.string(),
  /** A digest of where it is kept: a copy elsewhere is not gone on with, since two would take each other's acts for dead. */
  place: v.optional(hash),
  /** How its mechanism was made to stay within a time or a memory. */
  fitted: v.optional(
    v.strictObject({
      settings: v.pipe(v.record(v.string(), v.union([v.number(), v.string(), v.boolean()])), v.readonly()),
      replicates: count,
      gaveUp: v.pipe(v.array(v.string()), v.readonly()),
    }),
  ),
  /** The speed of the machine by which that is done, where it could be done only after something was asked: nanoseconds a unit of each kind of work. */
  rates: v.optional(v.strictObject({ visits: rate, cells: rate, products: rate, counts: rate, steps: rate })),
  hash,
});

const entryShape = v.variant('kind', [
  v.strictObject({
    kind: v.literal('begin'),
    at: place,
    what: v.string(),
    charges: v.pipe(
      v.array(v.unknown()),
      v.transform((charges) => charges.map(chargeFromJson)),
    ),
    hash,
  }),
  v.strictObject({
    kind: v.literal('done'),
    at: place,
    values: v.array(
      v.pipe(
        v.array(v.number()),
        v.transform((numbers) => Float64Array.from(numbers)),
      ),
    ),
    drawn: v.optional(count),
    hash,
  }),
  v.strictObject({ kind: v.literal('partition'), at: count, what: v.string(), most: v.string(), hash }),
]);

export type JournalHeader = Omit<v.InferOutput<typeof headerShape>, 'kind' | 'format' | 'hash'>;

/** A journal as it was found. */
export interface FoundJournal {
  readonly header: JournalHeader;
  readonly entries: readonly JournalEntry[];
  /** Bytes of whole lines; what follows is the beginning of one that was never acted upon. */
  readonly whole: number;
}

const withNewline = (line: Uint8Array): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(line.length + 1);
  bytes.set(line);
  bytes[line.length] = 0x0a;
  return bytes;
};

export const headerLine = (header: JournalHeader): Uint8Array<ArrayBuffer> =>
  withNewline(sealLine({ kind: 'open', format: journalFormat, ...header }).line);

const plainOf = (entry: JournalEntry): { readonly [key: string]: Plain } => {
  const at = typeof entry.at === 'number' ? entry.at : { ...entry.at };
  if (entry.kind === 'begin') return { ...entry, at, charges: entry.charges.map(chargeToJson) };
  if (entry.kind === 'done') return { ...entry, at, values: entry.values.map((numbers) => Array.from(numbers)) };
  return { ...entry, at };
};

export const entryLine = (entry: JournalEntry): Uint8Array<ArrayBuffer> => withNewline(sealLine(plainOf(entry)).line);

const damaged = (line: number): InputError =>
  new InputError(`journal: must be as surmise wrote it, got a change at line ${line}; discard the interrupted release`);

const parsed = (line: Uint8Array, number: number): unknown => {
  if (!isSealed(line)) throw damaged(number);
  return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(line), 'journal');
};

/** Reads a journal back; undefined where not even its first line was written whole. */
export const readJournal = (bytes: Uint8Array): FoundJournal | undefined => {
  const entries: JournalEntry[] = [];
  let header: JournalHeader | undefined;
  let whole = 0;
  for (let number = 1; ; number++) {
    const end = bytes.indexOf(0x0a, whole);
    if (end < 0) break;
    const line = parsed(bytes.subarray(whole, end), number);
    if (header === undefined) {
      const first = v.safeParse(headerShape, line);
      if (!first.success) throw damaged(number);
      const { kind: _, format: __, hash: ___, ...rest } = first.output;
      header = rest;
    } else {
      const entry = v.safeParse(entryShape, line);
      if (!entry.success) throw damaged(number);
      const { hash: _, ...rest } = entry.output;
      entries.push(rest);
    }
    whole = end + 1;
  }
  return header && { header, entries, whole };
};
