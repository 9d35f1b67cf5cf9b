import {
  appendFile,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oneAct } from '../../experiments/audit/one-act.js';
import { InputError } from '../../src/domain/input-error.js';
import { parseAmount, zeroAmount } from '../../src/privacy/accounting/amount.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { inspectLedger } from '../../src/privacy/ledger/inspect-ledger.js';
import { rational } from '../../src/privacy/rational.js';
import { killSuite } from '../../test/support/ledger-kill-suite.js';
import { createFileLedger, fileLedger, fileStore, type LedgerFile, type LedgerFiles } from './file-ledger.js';

const dataset = 'kill test';
const budget = budgetOf({ epsilon: 1 });
const tenth = parseAmount('0.1');
const charges = [{ kind: 'exponential', epsilon: rational(1, 10) }] as const;

let directory: string;
let counter = 0;
const fresh = () => path.join(directory, `${counter++}.ledger`);
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'surmise-file-ledger-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('making and opening', () => {
  test('a ledger is made once: the second attempt is refused and changes nothing', async () => {
    const file = fresh();
    await createFileLedger(file, { dataset, budget });
    const before = await readFile(file);
    await expect(createFileLedger(file, { dataset, budget: budgetOf({ epsilon: 9 }) })).rejects.toThrow(
      /a ledger is made once; its total is raised/,
    );
    expect(await readFile(file)).toEqual(before);
  });

  test('the first release may make the ledger, also when several start at once, and one budget counts', async () => {
    const file = fresh();
    const opened = await Promise.all(
      [1, 2, 3, 4].map((epsilon) => fileLedger(file, { dataset, budget: budgetOf({ epsilon }) })),
    );
    expect(new Set(opened.map((ledger) => ledger.budget.total)).size).toBe(1);
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('the file is lines of JSON that a person can read', async () => {
    const file = fresh();
    const ledger = await createFileLedger(file, { dataset, budget });
    await (await oneAct(ledger, { amount: tenth, what: 'choose a marginal' })).commit(charges);
    const records = (await readFile(file, 'utf8')).split('\n').map((line) => JSON.parse(line));
    expect(records).toMatchObject([
      { seq: 0, kind: 'open', dataset, currency: 'pure', total: '1' },
      { seq: 1, kind: 'run', amount: '0.1', what: 'choose a marginal', prev: records[0].hash },
      { seq: 2, kind: 'reserve', run: 1, amount: '0.1', what: 'choose a marginal', prev: records[1].hash },
      { seq: 3, kind: 'commit', reservation: 2, amount: '0.1', prev: records[2].hash },
      { seq: 4, kind: 'end', run: 1, prev: records[3].hash },
    ]);
  });

  test('what is not a ledger is refused in a sentence: nothing there, a directory, another file', async () => {
    await expect(fileLedger(fresh(), { dataset })).rejects.toThrow(
      /got no such file; check the path, or make one with createFileLedger/,
    );
    const folder = fresh();
    await mkdir(folder);
    await expect(fileLedger(folder, { dataset })).rejects.toThrow(InputError);
    const other = fresh();
    await writeFile(other, 'a,b\n1,2\n');
    await expect(fileLedger(other, { dataset })).rejects.toThrow(/must be a surmise ledger/);
    await expect(createFileLedger(path.join(directory, 'no', 'where'), { dataset, budget })).rejects.toThrow(
      InputError,
    );
    await expect(createFileLedger(fresh(), { dataset: ' ', budget })).rejects.toThrow(InputError);
  });

  test('a ledger that is cut, replaced or removed while it is held is refused', async () => {
    const tampered: ((file: string) => Promise<unknown>)[] = [
      (file) => truncate(file, 100),
      async (file) => {
        await copyFile(file, `${file}.copy`);
        await rename(`${file}.copy`, file);
      },
      (file) => rm(file),
    ];
    for (const tamper of tampered) {
      const file = fresh();
      const ledger = await createFileLedger(file, { dataset, budget });
      await oneAct(ledger, { amount: tenth, what: 'x' });
      await tamper(file);
      await expect(oneAct(ledger, { amount: tenth, what: 'y' })).rejects.toThrow(InputError);
    }
  });

  test('a torn tail is left as it is, and the next record stands on a line of its own', async () => {
    const file = fresh();
    await createFileLedger(file, { dataset, budget });
    await appendFile(file, '\n{"seq":1,"time":"2020');
    const ledger = await fileLedger(file, { dataset });
    await oneAct(ledger, { amount: tenth, what: 'after the crash' });
    const { entries, damage } = await inspectLedger(fileStore(file));
    expect(damage).toBeUndefined();
    expect(entries.map(({ verdict }) => verdict)).toEqual(['accepted', 'torn', 'accepted', 'accepted']);
  });
});

/** The real file system, in which the n-th call of one operation fails. */
const failing = (operation: keyof LedgerFile, nth: number, code: string, partly = 0): LedgerFiles => {
  let calls = 0;
  const fails = () => ++calls === nth;
  return {
    link,
    unlink,
    open: async (name, flags) => {
      const handle = await open(name, flags);
      const broken = (error: string) => Object.assign(new Error(error), { code: error });
      return {
        stat: () => handle.stat(),
        read: (buffer, offset, length, position) => handle.read(buffer, offset, length, position),
        close: () => handle.close(),
        write: async (buffer) => {
          if (operation !== 'write' || !fails()) return handle.write(buffer);
          const written = partly > 0 ? (await handle.write(buffer.subarray(0, partly))).bytesWritten : 0;
          if (code === 'short') return { bytesWritten: written };
          throw broken(code);
        },
        sync: async () => {
          if (operation === 'sync' && fails()) throw broken(code);
          return handle.sync();
        },
      };
    },
  };
};

describe('a disk that fails', () => {
  test.each([
    ['write', 'ENOSPC', 0],
    ['write', 'ENOSPC', 60],
    ['write', 'short', 60],
    ['write', 'EDQUOT', 0],
    ['write', 'EIO', 1],
  ] as const)(
    'a reservation whose %s ends in %s after %d bytes is refused, and nothing is spent',
    async (operation, code, partly) => {
      const file = fresh();
      await createFileLedger(file, { dataset, budget });
      const ledger = await fileLedger(file, { dataset, files: failing(operation, 1, code, partly) });
      await expect(oneAct(ledger, { amount: tenth, what: 'x' })).rejects.toThrow(/was not recorded/);
      expect((await ledger.status()).spent).toBe(zeroAmount);
      // The same holder can go on once there is room.
      await oneAct(ledger, { amount: tenth, what: 'again' });
      const { status, damage } = await inspectLedger(fileStore(file));
      expect(damage).toBeUndefined();
      expect(status.spent).toBe(tenth);
    },
  );

  test('a reservation that may not have reached the disk is refused, and counts as spent', async () => {
    const file = fresh();
    await createFileLedger(file, { dataset, budget });
    const ledger = await fileLedger(file, { dataset, files: failing('sync', 1, 'EIO') });
    await expect(oneAct(ledger, { amount: tenth, what: 'x' })).rejects.toThrow(/may count as spent/);
    expect((await ledger.status()).spent).toBe(tenth);
  });

  test('a commit that does not fit leaves the reservation spent in full, and can be tried again', async () => {
    const file = fresh();
    await createFileLedger(file, { dataset, budget });
    const ledger = await fileLedger(file, { dataset, files: failing('write', 3, 'ENOSPC', 10) });
    const reservation = await oneAct(ledger, { amount: parseAmount('0.5'), what: 'x' });
    await expect(reservation.commit(charges)).rejects.toThrow(InputError);
    expect((await ledger.status()).spent).toBe(parseAmount('0.5'));
    await reservation.commit(charges);
    expect((await ledger.status()).spent).toBe(tenth);
  });

  test.each(['write', 'sync'] as const)(
    'a ledger whose first %s fails does not exist afterwards',
    async (operation) => {
      const file = fresh();
      const files = failing(operation, 1, 'ENOSPC', 20);
      await expect(createFileLedger(file, { dataset, budget, files })).rejects.toThrow(InputError);
      expect((await readdir(directory)).filter((name) => name.includes(path.basename(file)))).toEqual([]);
    },
  );
});

killSuite('processes that are killed', {
  fresh,
  kills: 24,
  width: 16,
  stepsOfOnce: 35,
  gone: (file) => writeFile(file, 'gone'),
});
