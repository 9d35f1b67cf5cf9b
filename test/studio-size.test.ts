import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchPageBytes } from '../bench/runs/page-bytes.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { longestTask } from './support/longest-task.js';
import { type OpenedStudio, openStudio } from './support/studio.js';
import { next } from './support/studio-steps.js';

const folder = mkdtempSync(path.join(tmpdir(), 'surmise-studio-size-'));
const at = (name: string): string => path.join(folder, name);
const built = path.resolve(import.meta.dirname, '../dist/studio');
let studio: OpenedStudio;

beforeAll(async () => {
  // The service worker keeps all files for the next visit, those too that this one never asks for.
  studio = await openStudio({ serviceWorkers: 'block' });
}, 300_000);

afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A file of so many rows and 20 columns of two to five codes, made of a hundredth part of them again and again. */
const writeLarge = (file: string, rows: number): object => {
  const random = seeded(1);
  const sizes = Array.from({ length: 20 }, (_, i) => 2 + (i % 4));
  const lines = Array.from({ length: rows / 100 }, () => {
    const first = uniformInteger(random, 2);
    return sizes.map((size) => (uniformInteger(random, 3) === 0 ? uniformInteger(random, size) : first)).join(',');
  });
  const part = `${lines.join('\n')}\n`;
  const handle = openSync(file, 'w');
  writeSync(handle, `${sizes.map((_, i) => `q${i}`).join(',')}\n`);
  for (let i = 0; i < 100; i++) writeSync(handle, part);
  closeSync(handle);
  return {
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: sizes.map((size, i) => ({
      name: `q${i}`,
      type: 'category',
      values: Array.from({ length: size }, (_, code) => String(code)),
    })),
  };
};

describe('the size of the studio', { timeout: 400_000 }, () => {
  it('loads less than 500 kB, compressed, until it is ready', async () => {
    const page = await studio.open();
    const names = studio.asked
      .filter((address) => address.startsWith(studio.address))
      .map((address) => new URL(address).pathname);
    const fileOf = (name: string): string => path.join(built, name === '/' ? 'index.html' : name);
    const sizes = [...new Set(names)].map((name) => [name, gzipSync(readFileSync(fileOf(name))).length] as const);
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    expect(sizes.map(([name]) => name).filter((name) => /worker-|index-/.test(name))).toHaveLength(3);
    expect(total).toBeLessThan(500_000);
    await page.close();
  });

  it('would see a page that is frozen', async () => {
    const page = await studio.open();
    const busy = 'for (const start = performance.now(); performance.now() - start < 4000; );';
    const { milliseconds } = await longestTask(page, () => page.evaluate(`(() => { ${busy} })()`));
    expect(milliseconds).toBeGreaterThan(200);
    await page.close();
  });

  it('releases a million rows of 20 columns within 2 GB, and no task of the page itself takes more than 200 ms meanwhile', async () => {
    const schema = writeLarge(at('large.csv'), 1_000_000);
    const page = await studio.open();
    const memory = await watchPageBytes(page.context().browser()!);
    await page.setInputFiles('#private-file', at('large.csv'));
    await page.waitForSelector('.card.private .file');
    await next(page);
    const buffer = Buffer.from(JSON.stringify(schema));
    await page.setInputFiles('.filing input', { name: 'schema.json', mimeType: 'application/json', buffer });
    await page.waitForSelector('.ways .primary:not([disabled])');
    await next(page);
    await page.waitForSelector('.tall-box');
    await page.selectOption('#method', 'mst');
    await page.waitForFunction("document.querySelector('.tall-box') !== null");
    await page.waitForSelector('.ways .primary:not([disabled])');
    await next(page);
    await page.fill('#typed', '1');
    // What the page heard by its own clock: a page that is frozen hears nothing.
    await page.evaluate(`(() => {
      globalThis.heard = new Set();
      setInterval(() => globalThis.heard.add(document.querySelector('.stage')?.textContent), 10);
    })()`);
    const { milliseconds, tasks } = await longestTask(page, async () => {
      await page.click('.danger');
      await page.waitForSelector('.card-plot');
    });
    memory.stop();
    const heard = (await page.evaluate('[...globalThis.heard]')) as string[];
    expect(heard).toEqual(expect.arrayContaining(['reading the private table', 'drawing rows']));
    expect(tasks).toBeGreaterThan(100);
    expect(milliseconds).toBeLessThan(200);
    if (process.platform === 'linux') expect(memory.peak()).toBeGreaterThan(0);
    expect(memory.peak()).toBeLessThan(2e9);
    await page.close();
    expect(studio.troubles).toEqual([]);
  });
});
