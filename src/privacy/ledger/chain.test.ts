import { beforeAll, expect, test } from 'vitest';
import { InputError } from '../../domain/input-error.js';
import { type Amount, parseAmount } from '../accounting/amount.js';
import { budgetOf } from '../accounting/budget.js';
import { rational } from '../rational.js';
import { inspectLedger } from './inspect-ledger.js';
import { memoryStore } from './memory-ledger.js';
import { firstLine, ledgerTerms } from './new-ledger.js';
import type { Plain } from './record/plain.js';
import { writeRecord } from './record/record.js';
import { storedLedger } from './stored-ledger.js';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const join = (...lines: Uint8Array[]) => encode(lines.map(decode).join('\n'));
const hashOf = (line: Uint8Array) => JSON.parse(decode(line)).hash as string;
const charge = { kind: 'exponential', epsilon: rational(1, 10) } as const;

const release = '0f'.repeat(16);
/** A ledger with every kind of record: open, bind, run, reserve, commit, void, reserve, cancel, reserve, end. */
let whole: Uint8Array<ArrayBuffer>;
/** The first line, and a function that adds a record after another. */
let first: Uint8Array<ArrayBuffer>;
const after = async (line: Uint8Array, seq: number, body: { [key: string]: Plain }) =>
  writeRecord({ seq, time: '2020-01-01T00:00:00.000Z', ...body, nonce: '00', prev: hashOf(line) }).line;
const run = (amount: string) => ({ kind: 'run', amount, what: 'x', release });

beforeAll(async () => {
  first = firstLine(ledgerTerms({ dataset: 'survey', budget: budgetOf({ epsilon: 1 }) }));
  const store = memoryStore(first);
  const ledger = await storedLedger(store);
  await ledger.bind({ path: 'a'.repeat(64), file: 'b'.repeat(64) });
  const acts = await ledger.run({ amount: parseAmount('0.9'), what: 'a release', release, seeded: false });
  const one = await acts.reserve({ amount: parseAmount('0.2'), what: `choose ", "hash": "${'f'.repeat(64)}"}` });
  await one.commit([charge]);
  const lost = await after(first, 1, run('0.9'));
  await store.append(join(new Uint8Array(), lost));
  const two = await acts.reserve({ amount: parseAmount('0.3'), what: 'stopped' });
  await two.cancelUnread('no rows were read');
  await acts.reserve({ amount: parseAmount('0.4'), what: 'crashed' });
  await acts.end('done');
  whole = await store.read(0);
});

test('the sample holds every kind of line and reads as it should', async () => {
  const { entries, status, open, runs, tables, damage } = await inspectLedger(memoryStore(whole));
  expect(damage).toBeUndefined();
  expect(entries.map((entry) => (entry.verdict === 'accepted' ? entry.record.kind : entry.verdict))).toEqual([
    'open',
    'bind',
    'run',
    'reserve',
    'commit',
    'void',
    'reserve',
    'cancel',
    'reserve',
    'end',
  ]);
  expect(status.spent).toBe(parseAmount('0.5'));
  expect(open).toEqual([7]);
  expect(runs).toEqual([]);
  expect(tables).toEqual([{ path: 'a'.repeat(64), file: 'b'.repeat(64) }]);
});

test('item 10: a line that is no beginning of a record is damage, a true beginning is not', async () => {
  const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a).concat(whole.length);
  const damaged = async (change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) =>
    (await inspectLedger(memoryStore(change(whole.slice())))).damage !== undefined;
  // The last records overwritten by zeroes, with their newlines and without, and in part.
  for (const from of [ends[6], ends[6] + 1, ends[7] + 1, ends[8] + 1, ends[8] + 30, whole.length - 1])
    expect(await damaged((bytes) => bytes.fill(0, from))).toBe(true);
  expect(await damaged((bytes) => bytes.fill(0x20, ends[8] + 1))).toBe(true);
  const appended = (text: string) => damaged((bytes) => encode(`${decode(bytes)}\n${text}`));
  for (const text of [
    'x',
    '{}',
    '{"seq":11,"time":"2020"}',
    '{"seq":11,,',
    '{"seq":"a"b',
    '{"seq":1}x',
    'null',
    '{ "seq"',
  ])
    expect([text, await appended(text)]).toEqual([text, true]);
  for (const text of [
    '{',
    '{"se',
    '{"seq":1',
    '{"seq":11,"time":"2020-01',
    '{"seq":11,"a":[{"b":-',
    '{"seq":1,"x":tru',
    '{"seq":1,"x":"\\u00',
  ])
    expect([text, await appended(text)]).toEqual([text, false]);
});

test('a flip of any bit of any record is found', async () => {
  const found = async (at: number, bit: number) => {
    const bytes = whole.slice();
    bytes[at] ^= 1 << bit;
    const read = await inspectLedger(memoryStore(bytes)).catch((error) => error);
    return read instanceof InputError || read.damage !== undefined;
  };
  // One bit of every byte; the last record has no successor to vouch for it, so there all eight.
  const last = whole.lastIndexOf(0x0a);
  const missed: number[] = [];
  for (let at = 0; at < whole.length; at++) {
    const bits = at >= last ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8];
    if ((await Promise.all(bits.map((bit) => found(at, bit)))).includes(false)) missed.push(at);
  }
  expect(missed).toEqual([]);
});

test('a ledger cut at any byte of its last two lines reads as what is before the cut, and can go on', async () => {
  const ends = [...whole.keys()].filter((at) => whole[at] === 0x0a).concat(whole.length);
  const goOn = async (cut: number) => {
    const store = memoryStore(whole.slice(0, cut));
    const torn = await inspectLedger(store);
    expect(torn.damage).toBeUndefined();
    const read = torn.entries.filter(({ verdict }) => verdict !== 'torn');
    expect(read).toHaveLength(ends.filter((end) => end <= cut).length);
    const ledger = await storedLedger(store, { dataset: 'survey' });
    await ledger.run({ amount: parseAmount('0.1'), what: 'go on', release, seeded: false });
    const later = await inspectLedger(store);
    expect(later.damage).toBeUndefined();
    expect(later.status.spent).toBe((torn.status.spent + parseAmount('0.1')) as Amount);
  };
  const from = ends[ends.length - 3];
  await Promise.all(Array.from({ length: whole.length - from }, (_, i) => goOn(from + i)));
});

test('a missing, repeated or exchanged line is found', async () => {
  const lines = decode(whole).split('\n');
  const variants: string[][] = [];
  const accepted = [1, 2, 3, 4, 6, 7, 8];
  for (const i of accepted) variants.push(lines.filter((_, at) => at !== i));
  for (const i of accepted.slice(0, -1)) variants.push(lines.toSpliced(i, 2, lines[i + 1], lines[i]));
  for (const [i, variant] of variants.entries()) {
    const found = await inspectLedger(memoryStore(encode(variant.join('\n'))));
    // The exchange of a record with a void line only moves the void one.
    if (i === accepted.length + 3) expect(found.damage).toBeUndefined();
    else expect(found.damage).toBeDefined();
  }
  // A repeated line points to a record that has a successor: void, as if it had lost a race.
  const repeated = await inspectLedger(memoryStore(encode([...lines, lines[1]].join('\n'))));
  expect(repeated.status.spent).toBe(parseAmount('0.5'));
});

test.each<[string, { [key: string]: Plain }[], RegExp]>([
  ['overspends', [run('1.000000000000000001')], /more than remained/],
  [
    'reserves beyond its run',
    [run('0.1'), { kind: 'reserve', run: 1, amount: '0.2', what: 'x' }],
    /more than was left to run 1/,
  ],
  [
    'reserves for a run that is not there',
    [{ kind: 'reserve', run: 3, amount: '0.1', what: 'x' }],
    /run 3 is not open/,
  ],
  [
    'reserves for a run that has ended',
    [run('0.1'), { kind: 'end', run: 1, why: 'x' }, { kind: 'reserve', run: 1, amount: '0.1', what: 'x' }],
    /run 1 is not open/,
  ],
  ['lowers the total', [{ kind: 'raise', total: '0.9', epsilon: '0.9', why: 'x' }], /no larger/],
  ['raises it to what it is', [{ kind: 'raise', total: '1', epsilon: '1', why: 'x' }], /no larger/],
  ['raises it without a reason', [{ kind: 'raise', total: '2', epsilon: '2', why: ' ' }], /gives no reason/],
  ['raises it at another delta', [{ kind: 'raise', total: '2', epsilon: '2', delta: '1e-9', why: 'x' }], /delta/],
  ['states another epsilon than it grants', [{ kind: 'raise', total: '2', epsilon: '1.5', why: 'x' }], /its epsilon/],
  [
    'overspends what it was raised to',
    [{ kind: 'raise', total: '2', epsilon: '2', why: 'x' }, run('2.000000000000000001')],
    /more than remained/,
  ],
  ['has noise from a seed', [{ ...run('0.1'), seeded: true }], /came from a seed/],
  [
    'commits what was never reserved',
    [{ kind: 'commit', reservation: 7, release, amount: '0.1', charges: [] }],
    /not open/,
  ],
  [
    'understates the cost of its charges',
    [
      run('0.5'),
      { kind: 'reserve', run: 1, amount: '0.5', what: 'x' },
      { kind: 'commit', reservation: 2, release, amount: '0.1', charges: [{ kind: 'exponential', epsilon: '1/2' }] },
    ],
    /not the cost of its charges/,
  ],
  [
    'commits more than it reserved',
    [
      run('0.5'),
      { kind: 'reserve', run: 1, amount: '0.1', what: 'x' },
      { kind: 'commit', reservation: 2, release, amount: '0.5', charges: [{ kind: 'exponential', epsilon: '1/2' }] },
    ],
    /more than reservation 2 holds/,
  ],
  [
    'commits for another release',
    [
      run('0.5'),
      { kind: 'reserve', run: 1, amount: '0.5', what: 'x' },
      {
        kind: 'commit',
        reservation: 2,
        release: '1f'.repeat(16),
        amount: '0.5',
        charges: [{ kind: 'exponential', epsilon: '1/2' }],
      },
    ],
    /another release/,
  ],
  [
    'commits without a charge',
    [
      run('0.5'),
      { kind: 'reserve', run: 1, amount: '0.1', what: 'x' },
      { kind: 'commit', reservation: 2, release, amount: '0', charges: [] },
    ],
    /no charges/,
  ],
  [
    'sets the budget again',
    [
      {
        kind: 'open',
        format: 'surmise-ledger/2',
        dataset: 'survey',
        relation: 'add-remove',
        unit: { kind: 'row', maxRecords: 1 },
        currency: 'pure',
        total: '9',
      },
    ],
    /opens the ledger again/,
  ],
  ['is of an unknown kind', [{ kind: 'gift', amount: '1' }], /not a record of this format/],
  ['carries more than its kind has', [{ ...run('0.1'), refund: '1' }], /not a record/],
  ['has a negative amount', [run('-0.1')], /not a record/],
])('a well-formed record that %s is refused and named', async (_, bodies, why) => {
  const lines = [first];
  for (const [i, body] of bodies.entries()) lines.push(await after(lines[i], i + 1, body));
  const store = memoryStore(join(...lines));
  const { damage } = await inspectLedger(store);
  expect(damage?.line).toBe(lines.length);
  expect(damage?.why).toMatch(why);
  await expect(storedLedger(store)).rejects.toThrow(InputError);
});

test('a record out of sequence is refused', async () => {
  const skipped = await after(first, 2, run('0.1'));
  expect((await inspectLedger(memoryStore(join(first, skipped)))).damage?.why).toMatch(
    /the number is 2, and 1 was due/,
  );
});

test.each([
  ['an empty file', ''],
  ['another text', 'region,age\nnorth,12\n'],
  ['a JSON file', '{"kind":"open"}'],
])('%s is not a ledger', async (_, text) => {
  await expect(storedLedger(memoryStore(encode(text)))).rejects.toThrow(/must be a surmise ledger/);
});

test('a ledger that changes while it is held is refused', async () => {
  let bytes = whole;
  const ledger = await storedLedger({ ...memoryStore(), read: async (from) => bytes.slice(from) });
  bytes = encode(decode(whole).replace('done', 'DONE'));
  await expect(ledger.status()).rejects.toThrow(/changed while the ledger was in use/);
});
