import { randomName } from '../random-name.js';
import type { Plain } from './plain.js';
import { type LedgerRecord, writeRecord } from './record.js';

/** What a record says, but for what all records have. */
export type RecordBody = { readonly kind: LedgerRecord['kind']; readonly [key: string]: Plain };

/** Writes a record at its place: the time, and a nonce that makes no two records alike, are added. */
export const stampRecord = (body: RecordBody, seq: number, prev: string): ReturnType<typeof writeRecord> =>
  writeRecord({ seq, time: new Date().toISOString(), ...body, nonce: randomName(), prev });
