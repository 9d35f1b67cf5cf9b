import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createFileLedger, fileLedger } from '../adapters/ledger/file-ledger.js';
import { memoryStore } from '../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../src/privacy/ledger/new-ledger.js';
import type { LedgerStore } from '../src/privacy/ledger/store.js';
import { storedLedger } from '../src/privacy/ledger/stored-ledger.js';
import { ledgerSuite } from './support/ledger-suite.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'surmise-ledger-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

ledgerSuite('a ledger in memory', async () => {
  let store: LedgerStore;
  return {
    create: async (dataset, budget) => {
      store = memoryStore(firstLine(ledgerTerms({ dataset, budget })));
      return storedLedger(store, { dataset });
    },
    reopen: (dataset) => storedLedger(store, { dataset }),
  };
});

let files = 0;
ledgerSuite('a ledger in a file', async () => {
  const file = path.join(directory, `${files++}.ledger`);
  return {
    create: (dataset, budget) => createFileLedger(file, { dataset, budget }),
    reopen: (dataset) => fileLedger(file, { dataset }),
  };
});
