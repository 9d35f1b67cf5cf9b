import { writeSync } from 'node:fs';
import { link, open, unlink } from 'node:fs/promises';
import { isFilePlace } from '../../adapters/ledger/any-ledger.js';
import { createFileLedger, fileLedger, type LedgerFile, type LedgerFiles } from '../../adapters/ledger/file-ledger.js';
import { type LedgerDatabase, postgresDatabase } from '../../adapters/ledger/postgres-database.js';
import { createPostgresLedger, postgresLedger, postgresPlace } from '../../adapters/ledger/postgres-ledger.js';
import { formatAmount, parseAmount } from '../../src/privacy/accounting/amount.js';
import { budgetOf } from '../../src/privacy/accounting/budget.js';
import { BudgetError } from '../../src/privacy/ledger/ledger.js';
import { rational } from '../../src/privacy/rational.js';
import { oneAct } from './one-act.js';

/** What the parent asks of this process, as JSON in its first argument. */
export interface KillTask {
  /** The ledger: a file, or the address of one in a database. */
  readonly place: string;
  /** `create`: make the ledger; `once`: one reservation and its commit; `spend`: until the budget is gone; `hammer`: for ever. */
  readonly work: 'create' | 'once' | 'spend' | 'hammer';
  /** Size of a reservation; a `hammer` commits all of it, or half. */
  readonly amount: string;
  /** Kill this process at the n-th step: one before every operation, one within every write or statement, some in between. */
  readonly killAt?: number;
}

const task = JSON.parse(process.argv[2]) as KillTask;
/** One line to the parent, out of this process before the call returns: a kill cannot take it back. */
const say = (line: string): number => writeSync(1, `${line}\n`);

let steps = 0;
const step = (): void => {
  if (++steps === task.killAt) process.kill(process.pid, 'SIGKILL');
};
/** After an operation is before the next one, so one step each is enough. */
const at = <T>(work: () => Promise<T>): Promise<T> => {
  step();
  return work();
};

/** The real file system with a place to die at every step, among them the middle of a write. */
const files: LedgerFiles = {
  open: (path, flags) =>
    at(async () => {
      const handle = await open(path, flags);
      const file: LedgerFile = {
        stat: () => at(() => handle.stat()),
        read: (buffer, offset, length, position) => at(() => handle.read(buffer, offset, length, position)),
        write: (buffer) =>
          at(async () => {
            if (steps + 1 === task.killAt)
              await handle.write(buffer.subarray(0, 1 + ((steps * 37) % (buffer.length - 1))));
            step();
            return handle.write(buffer);
          }),
        sync: () => at(() => handle.sync()),
        close: () => at(() => handle.close()),
      };
      return file;
    }),
  link: (existing, path) => at(() => link(existing, path)),
  unlink: (path) => at(() => unlink(path)),
};

/** The real database with a place to die before every statement, and while the server works on it, whose answer nobody hears then. */
const databaseAt = (place: string): LedgerDatabase => {
  const { query } = postgresDatabase(postgresPlace(place).address);
  return {
    query: (statement, values) =>
      at(async () => {
        const answer = query(statement, values);
        if (steps + 1 === task.killAt) await new Promise((resolve) => setTimeout(resolve, (steps * 37) % 8));
        step();
        return answer;
      }),
  };
};

const dataset = 'kill test';
const { place } = task;
const create = isFilePlace(place)
  ? () => createFileLedger(place, { dataset, budget: budgetOf({ epsilon: '1' }), files })
  : () => createPostgresLedger(place, { dataset, budget: budgetOf({ epsilon: '1' }), database: databaseAt(place) });
const opened = isFilePlace(place)
  ? () => fileLedger(place, { dataset, files })
  : () => postgresLedger(place, { dataset, database: databaseAt(place) });

if (task.work === 'create') {
  await create();
  step();
  say('created');
} else {
  const ledger = await opened();
  const amount = parseAmount(task.amount);
  say('ready');
  for (let turn = 0; task.work !== 'once' || turn === 0; turn++) {
    step();
    try {
      const reservation = await oneAct(ledger, { amount, what: `turn ${turn} of ${process.pid}` });
      say(`reserved ${reservation.id} ${task.amount}`);
      step();
      const spent = task.work === 'hammer' && turn % 2 === 1 ? amount / 2n : amount;
      const charge = { kind: 'exponential', epsilon: rational(spent, 10n ** 18n) } as const;
      say(`used ${reservation.id} ${formatAmount(spent as typeof amount)}`);
      await reservation.commit([charge]);
      say(`committed ${reservation.id}`);
      step();
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      if (task.work !== 'hammer') break;
    }
  }
  say('done');
}
