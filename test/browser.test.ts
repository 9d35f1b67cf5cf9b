import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { build, type Logger } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryOf } from '../src/bundle/make-bundle.js';
import { openBundle } from '../src/bundle/open-bundle.js';
import { verifyBundle } from '../src/bundle/verify-bundle.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import type * as Surmise from '../src/index.js';

const root = path.resolve(import.meta.dirname, '..');

/** What the bundler complained of. */
const complaints: string[] = [];
const complain = (text: string): void => void complaints.push(text);
const customLogger: Logger = {
  info: () => {},
  warn: complain,
  warnOnce: complain,
  error: complain,
  clearScreen: () => {},
  hasErrorLogged: () => false,
  hasWarned: false,
};

/** The core as modules for a page. */
const modules = async (): Promise<Map<string, string>> => {
  const lib = { entry: path.join(root, 'src/index.ts'), formats: ['es' as const], fileName: 'surmise' };
  const built = await build({
    root,
    configFile: false,
    customLogger,
    build: { write: false, minify: false, target: 'esnext', lib },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []));
  const code = outputs.flatMap((one) => (one.type === 'chunk' ? [[`/${one.fileName}`, one.code] as const] : []));
  return new Map([...code, ['/page.js', "import * as surmise from './surmise.js'; globalThis.surmise = surmise;"]]);
};

let server: Server;
let browser: Browser;
let address: string;
/** What the page asked the server for, and what it asked anybody else for. */
const asked: string[] = [];

beforeAll(async () => {
  const files = await modules();
  // A page that may share memory with its workers, and may ask nobody but this server.
  const headers = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src blob:; connect-src 'none'",
  };
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const code = files.get(request.url ?? '');
    const type = code === undefined ? 'text/html' : 'text/javascript';
    response.writeHead(200, { ...headers, 'Content-Type': type, 'Cross-Origin-Resource-Policy': 'same-origin' });
    response.end(code ?? '<!doctype html><title>page</title><script type="module" src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // One process for all, and pages that may read one another, would forbid shared memory.
  const args = chromium.args.filter(
    (arg) => !/single-process|no-zygote|disable-web-security|site-isolation|site-per-process|features/.test(arg),
  );
  browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
});

describe('a page in Chromium', () => {
  it('is bundled with nothing left outside and no complaint', () => {
    expect(complaints).toEqual([]);
  });

  it('solves linear programmes, as Node does', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    await page.waitForFunction('globalThis.surmise !== undefined');
    const task = async ({ estimateTwoStage, domainOf, marginal }: typeof Surmise) => {
      const support = {
        domain: domainOf([{ name: 'a', type: 'integer', min: 0, max: 2 }]),
        length: 3,
        columns: [Uint8Array.of(0, 1, 2)],
        weights: Float64Array.of(0.5, 0.25, 0.25),
      };
      const measured = [
        { query: marginal('a'), values: Float64Array.of(20, 90, -10), noise: { kind: 'none' as const, scale: 0 } },
      ];
      const { support: found, residual } = await estimateTwoStage(support, measured, { total: 100 });
      return { weights: Array.from(found.weights), residual };
    };
    const there = (await page.evaluate(`(${task.toString()})(globalThis.surmise)`)) as Awaited<ReturnType<typeof task>>;
    const here = await task(await import('../src/index.js'));
    // Of numbers that sum to 1 the nearest to 0.2, 0.9 and -0.1 are at least 0.2 away: 0.1 above the last and 0.1 too many.
    expect(here.residual).toBeCloseTo(0.2, 9);
    expect(there.residual).toBeCloseTo(here.residual, 9);
    expect(there.weights.map((weight, row) => Math.abs(weight - here.weights[row]) < 1e-9)).toEqual([true, true, true]);
    await page.close();
  });

  it.each([
    ['with a public table', true, 'reweight'],
    ['without one', false, 'pairs'],
  ])('makes a whole release %s, on two workers, that Node verifies', { timeout: 120_000 }, async (_, open, name) => {
    const page = await browser.newPage();
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on(
      'request',
      (request) =>
        request.url().startsWith(address) || /^(blob|data):/.test(request.url()) || troubles.push(request.url()),
    );
    await page.goto(address);
    await page.waitForFunction('globalThis.surmise !== undefined');
    const told = await page.evaluate(async (hasPublic) => {
      const page = globalThis as unknown as { surmise: typeof Surmise; Worker: new (url: string) => object };
      const { surmise } = page;
      const schema = surmise.parseSchema({
        surmise: 1,
        origin: { kind: 'declared' },
        attributes: [
          { name: 'sex', type: 'category', values: ['f', 'm'] },
          { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
          { name: 'region', type: 'integer', min: 0, max: 7 },
        ],
      });
      const domain = surmise.domainFromSchema(schema);
      const people = (rows: number, shift: number) =>
        surmise.encodeTable(domain, {
          sex: Array.from({ length: rows }, (_, i) => 'fm'[(i + shift) % 2]),
          age: Array.from({ length: rows }, (_, i) => (i * 7 + shift) % 100),
          region: Array.from({ length: rows }, (_, i) => (i * (1 + shift)) % 8),
        });
      const budget = { epsilon: 1, delta: 1e-9 };
      let workers = 0;
      const Real = page.Worker;
      page.Worker = class extends Real {
        constructor(url: string) {
          super(url);
          workers++;
        }
      };
      const source = await surmise.memorySource({ table: people(20_000, 1), dataset: 'clinic', threads: 2 });
      const ledger = await surmise.memoryLedger(surmise.budgetOf(budget), 'clinic');
      const { files, manifest } = await surmise.makeRelease({
        source,
        ledger,
        schema,
        ...(hasPublic ? { publicTable: { name: 'earlier', table: people(6000, 1) } } : {}),
        mechanism: 'auto',
        budget,
        software: 'a page',
        threads: 2,
      });
      await source.close();
      const status = await ledger.status();
      const plain = Object.entries(files).map(([file, bytes]) => [file, Array.from(bytes)] as const);
      return { plain, mechanism: manifest.mechanism.name, workers, spent: String(status.reserved), tip: status.tip };
    }, open);
    expect(troubles).toEqual([]);
    expect(told.mechanism).toBe(name);
    expect(told.workers).toBeGreaterThanOrEqual(2);
    const files: Record<string, Uint8Array> = Object.fromEntries(
      told.plain.map(([file, bytes]) => [file, Uint8Array.from(bytes)]),
    );
    const { manifest, model } = openBundle(files);
    expect(manifest.ledger.tip).toBe(told.tip);
    expect(manifest.privacy.seeded).toBe(false);
    expect(model.total).toBeGreaterThan(19_000);
    const { faults } = await verifyBundle({
      read: async (file) => files[file],
      describe: async (file) => (files[file] === undefined ? undefined : entryOf(file, files[file])),
      names: async () => Object.keys(files),
      rows: async (file, domain) => {
        const [head, ...lines] = new TextDecoder().decode(files[file]).trimEnd().split('\n');
        const fields = lines.map((line) => line.split(','));
        const columns = head.split(',').map((column, k) => [column, fields.map((field) => field[k])]);
        return encodeTable(domain, Object.fromEntries(columns));
      },
    });
    expect(faults).toEqual([]);
    await page.close();
  });
});
