import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { memoryStore } from '../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../src/privacy/ledger/new-ledger.js';
import type { LedgerStore } from '../src/privacy/ledger/store.js';
import { storedLedger } from '../src/privacy/ledger/stored-ledger.js';
import { ledgerSuite } from './support/ledger-suite.js';

const root = path.resolve(import.meta.dirname, '..');
let server: Server;
let browser: Browser;
/** Tabs of one visitor: holders of a ledger take turns among them. */
let tabs: readonly Page[];

/** The stores of a page as they are, without the rest of the core. */
const pageStores = async (): Promise<string> => {
  const lib = { entry: path.join(root, 'test/support/page-stores.mjs'), formats: ['es' as const], fileName: 'stores' };
  const built = await build({ root, configFile: false, logLevel: 'silent', build: { write: false, lib } });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
  return outputs.flatMap((one) => (one.type === 'chunk' ? [one.code] : [])).join('\n');
};

beforeAll(async () => {
  const code = await pageStores();
  server = createServer((request, response) => {
    const isCode = request.url === '/stores.js';
    response.writeHead(200, { 'Content-Type': isCode ? 'text/javascript' : 'text/html' });
    response.end(isCode ? code : '<!doctype html><title>page</title><script type="module" src="/stores.js"></script>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
  const context = await browser.newContext();
  tabs = await Promise.all(
    [1, 2].map(async () => {
      const page = await context.newPage();
      await page.goto(address);
      await page.waitForFunction('globalThis.stores !== undefined');
      return page;
    }),
  );
}, 300_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

let turn = 0;

const call = (page: Page, kind: 'log' | 'file', name: string, method: string, argument?: unknown): Promise<string> =>
  page.evaluate(
    ([of, own, how, told]) =>
      (globalThis as unknown as { stores: Record<string, (...args: unknown[]) => Promise<string>> }).stores[
        how as string
      ](of, own, told),
    [kind, name, method, argument] as const,
  );

/** The store of a name in a tab, seen from here: its bytes cross as base64. */
const storeIn = (page: Page, kind: 'log' | 'file', name: string): LedgerStore => {
  return {
    name,
    read: async (from) => new Uint8Array(Buffer.from(await call(page, kind, name, 'read', from), 'base64')),
    append: async (bytes) => {
      await call(page, kind, name, 'append', Buffer.from(bytes).toString('base64'));
      return { sync: async () => {}, close: async () => {} };
    },
  };
};

const nextTab = (): Page => tabs[turn++ % tabs.length];

let ledgers = 0;
const suiteOf = (kind: 'log' | 'file') => async () => {
  const name = `${kind}-${ledgers++}`;
  return {
    create: async (dataset: string, budget: Parameters<typeof ledgerTerms>[0]['budget']) => {
      const store = storeIn(nextTab(), kind, name);
      await store.append(firstLine(ledgerTerms({ dataset, budget })));
      return storedLedger(store, { dataset });
    },
    reopen: (dataset: string) => storedLedger(storeIn(nextTab(), kind, name), { dataset }),
  };
};

ledgerSuite('a ledger in IndexedDB, by two tabs in turns', suiteOf('log'));
ledgerSuite('a ledger in a chosen file, by two tabs in turns', suiteOf('file'));

test('a chosen file and the browser come to the same bytes: what another program appended is taken in, what was lost is put back, two histories are refused', async () => {
  const [page, other] = tabs;
  const bytes = (text: string) => new TextEncoder().encode(text);
  const put = (text: string) => call(page, 'file', 'both', 'put', Buffer.from(text).toString('base64'));
  const written = async () => Buffer.from(await call(page, 'file', 'both', 'get'), 'base64').toString('utf8');
  const store = storeIn(page, 'file', 'both');
  await store.append(bytes('one\n'));
  expect(await written()).toBe('one\n');
  await put('one\ntwo\n');
  await storeIn(other, 'file', 'both').append(bytes('three\n'));
  expect(await written()).toBe('one\ntwo\nthree\n');
  for (const old of ['', 'one\n']) {
    await put(old);
    expect(new TextDecoder().decode(await store.read(0))).toBe('one\ntwo\nthree\n');
    expect(await written()).toBe('one\ntwo\nthree\n');
  }
  await put('one\nTWO\n');
  await expect(store.append(bytes('four\n'))).rejects.toThrow(/must go on from what this browser knows of it/);
  // Nothing was written over, and nothing appended in the browser either.
  expect(await written()).toBe('one\nTWO\n');
  await put('');
  expect(new TextDecoder().decode(await store.read(0))).toBe('one\ntwo\nthree\n');
});

test('a ledger that begins in a chosen file is never found without it, and nothing that another tab says of it is lost', async () => {
  const act = (page: Page, how: string, name: string, told?: object): Promise<unknown> =>
    page.evaluate(
      ([did, own, what]) =>
        (globalThis as unknown as { stores: Record<string, (...args: unknown[]) => unknown> }).stores.ledger(
          did,
          own,
          what,
        ),
      [how, name, told] as const,
    );
  const [first, second] = tabs;
  const budget = budgetOf({ epsilon: '1' });
  expect(await act(first, 'make', 'town', { budget, file: 'begun' })).toEqual({ others: [], file: 'begun.jsonl' });
  expect(Buffer.from(await call(first, 'file', 'begun', 'get'), 'base64').toString('utf8')).toMatch(
    /^\{"seq":0,.*\}\n?$/,
  );
  // The first tab goes by what it knew before the second one bound another table.
  await act(second, 'bind', 'town', { other: 'homes' });
  expect(await act(first, 'attach', 'town', { file: 'moved' })).toEqual({ others: ['homes'], file: 'moved.jsonl' });
  await act(second, 'note', 'town');
  await act(first, 'bind', 'town', { other: 'more' });
  expect(await act(second, 'bind', 'town', { other: 'again' })).toEqual({
    others: ['homes', 'more', 'again'],
    file: 'moved.jsonl',
  });
  // A file with something in it is no place for a ledger to begin: none is made.
  await expect(act(first, 'make', 'village', { budget, file: 'begun' })).rejects.toThrow(/must be empty for a ledger/);
  expect(await act(first, 'note', 'village')).toBeUndefined();
});

test('what one tab has appended another reads, whole and in order, and a ledger that lost its end is refused', async () => {
  const [first, second] = tabs.map((page) => storeIn(page, 'log', 'order'));
  const lines = Array.from({ length: 20 }, (_, i) => new TextEncoder().encode(`line ${i}\n`));
  await Promise.all(lines.map((line, i) => (i % 2 === 0 ? first : second).append(line)));
  const [one, other] = await Promise.all([first.read(0), second.read(0)]);
  expect(one).toEqual(other);
  const read = new TextDecoder().decode(one).trimEnd().split('\n');
  expect([...read].sort()).toEqual(lines.map((_, i) => `line ${i}`).sort());
  expect(await second.read(one.length - 3)).toEqual(one.slice(-3));
  await expect(second.read(one.length + 1)).rejects.toThrow(/must only grow, got a shorter one/);
  // The same promise as of bytes in memory, which the rules of the chain are tested on.
  await expect(memoryStore(one).read(one.length + 1)).rejects.toThrow();
});
