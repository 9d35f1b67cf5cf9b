import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Page, chromium as playwright } from 'playwright-core';
import { serveFolder } from '../adapters/serve-folder.js';
import type { Bench, Figure } from './figures.js';
import { smaller } from './figures.js';
import { watchPageBytes } from './runs/page-bytes.js';
import { runCli } from './runs/run-cli.js';
import { writeTables } from './runs/tables.js';

const studio = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'studio');

/** A release in a page and the same by the command line: which tables, by which schema. */
interface Task {
  readonly name: string;
  readonly folder: string;
  readonly private: string;
  readonly public: string;
  /** Learned from the public table where there is none. */
  readonly schema?: string | undefined;
}

/** What a page may take of memory, and for how long it may hear nothing, in milliseconds. */
const mostBytes = 2e9;
const mostSilence = 200;

/** What a release in a page took. */
interface InPage {
  /** Seconds from the choice of the tables to the release, without those that a person takes between. */
  readonly seconds: number;
  /** Peak of the memory of the page's processes. */
  readonly bytes: number;
  /** Longest time for which the page heard no event, in milliseconds. */
  readonly frozen: number;
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** Notes the longest silence of the page's own thread from now on. */
const watch = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    let last = performance.now();
    globalThis.longest = 0;
    setInterval(() => {
      const now = performance.now();
      globalThis.longest = Math.max(globalThis.longest, now - last - 10);
      last = now;
    }, 10);
  })()`);

const inPage = async ({ folder, private: hidden, public: open, schema }: Task): Promise<InPage> => {
  const served = await serveFolder(studio);
  const args = chromium.args.filter(
    (arg) => !/single-process|no-zygote|disable-web-security|site-isolation|site-per-process|features/.test(arg),
  );
  const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args });
  const memory = await watchPageBytes(browser);
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    page.setDefaultTimeout(3_600_000);
    await page.goto(served.address);
    await page.waitForSelector('[data-ready]', { state: 'attached' });
    await watch(page);
    const at = (name: string): string => path.join(folder, name);
    const choosing = await timed(async () => {
      await page.setInputFiles('#private-file', at(hidden));
      await page.waitForSelector('.card.private .file');
      await page.setInputFiles('#public-file', at(open));
      await page.waitForSelector('.card.public .file');
    });
    await page.click('.ways .primary');
    const encoding = await timed(async () => {
      if (schema !== undefined) await page.setInputFiles('.filing input', at(schema));
      await page.waitForSelector('.ways .primary:not([disabled])');
    });
    await page.click('.ways .primary');
    await page.waitForSelector('.tall-box');
    await page.click('details:has(#seed) summary');
    await page.fill('#seed', '1');
    await page.fill('#unsafe-seed', '1');
    await page.locator('#unsafe-seed').blur();
    await page.click('.ways .primary');
    await page.fill('#typed', '1');
    const releasing = await timed(async () => {
      await page.click('.danger');
      await page.waitForSelector('.figures');
    });
    const frozen = Number(await page.evaluate('globalThis.longest'));
    return { seconds: choosing + encoding + releasing, bytes: memory.peak(), frozen };
  } finally {
    memory.stop();
    await browser.close();
    await served.close();
  }
};

const figuresOf = async (task: Task, say: (line: string) => void): Promise<Figure[]> => {
  const out = mkdtempSync(path.join(tmpdir(), 'surmise-bench-studio-'));
  try {
    const at = (name: string): string => path.join(task.folder, name);
    const words = [
      ...['release', at(task.private), '--public', at(task.public), '--epsilon', '1'],
      ...(task.schema === undefined ? [] : ['--schema', at(task.schema)]),
      ...['--seed', '1', '--unsafe-seed', '1', '--ledger', 'tests.jsonl', '-o', 'released'],
    ];
    say(`${task.name}: by the command line`);
    const { code, said, watched } = await runCli(words, { folder: out });
    if (code !== 0 || watched === undefined) throw new Error(said);
    say(`${task.name}: in the page`);
    const page = await inPage(task);
    return [
      smaller(`${task.name}: the page beside the command line`, page.seconds, watched.seconds, 's'),
      smaller(`${task.name}: memory of the page beside the command line`, page.bytes / 1e6, watched.bytes / 1e6, 'MB'),
      smaller(`${task.name}: memory of the page beside its bound`, page.bytes / 1e6, mostBytes / 1e6, 'MB'),
      smaller(`${task.name}: longest time the page heard no event, beside its bound`, page.frozen, mostSilence, 'ms'),
    ];
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
};

/**
 * Releases in the page beside the same by the command line: of Massachusetts 2019 with 2018 as public (needs --data), and of a made-up table of a million
 * rows and 20 columns; `--only small` makes that of two thousand rows, to see that all is in place.
 */
const bench: Bench = async ({ data, only, say }) => {
  const figures: Figure[] = [];
  if (data !== undefined && (only === undefined || only === 'massachusetts')) {
    const folder = path.resolve(data, 'acs-massachusetts');
    const files = { private: 'ma2019.csv', public: 'ma2018.csv' };
    figures.push(...(await figuresOf({ name: 'Massachusetts', folder, ...files }, say)));
  }
  for (const { part, name, rows, open } of made) {
    if (only === undefined ? part === 'small' : only !== part) continue;
    const folder = mkdtempSync(path.join(tmpdir(), 'surmise-bench-tables-'));
    try {
      say(`${name}: making the tables`);
      writeTables(folder, 'twenty', rows, open);
      const files = { private: 'twenty.csv', public: 'twenty-public.csv', schema: 'twenty.json' };
      figures.push(...(await figuresOf({ name, folder, ...files }, say)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return figures;
};

/** Made-up tables of 20 columns: private rows, and public ones. */
const made = [
  { part: 'million', name: 'a million rows of 20 columns', rows: 1_000_000, open: 50_000 },
  { part: 'small', name: 'two thousand rows of 20 columns', rows: 2000, open: 1000 },
] as const;

export default bench;
