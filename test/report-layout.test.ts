import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeReport, type ReportOptions, type ReportSource } from '../src/report/make-report.js';
import { groupedBundle, hostile, longNamed, wideBundle } from './support/report-bundles.js';

const folder = mkdtempSync(path.join(tmpdir(), 'surmise-layout-'));
/** Where the pictures are, for people to look at. */
const pictures = path.resolve(import.meta.dirname, '../build/report-pictures');
let browser: Browser;
let page: Page;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
  page = await browser.newPage({ viewport: { width: 390, height: 844 } });
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is wrong with the page as it is laid out, in words. Runs in the page. */
const faultsIn = (paper: boolean): string[] => {
  interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
    width: number;
  }
  interface Place {
    className: string | object;
    tagName: string;
    textContent: string;
    clientWidth: number;
    scrollWidth: number;
    childNodes: Iterable<Place & { nodeType: number; data: string }>;
    parentElement: Place;
    closest(selector: string): Place | null;
    matches(selector: string): boolean;
    querySelectorAll(selector: string): Iterable<Place>;
    getBoundingClientRect(): Box;
  }
  interface Window {
    document: {
      documentElement: Place;
      querySelectorAll(selector: string): Iterable<Place>;
      createRange(): { setStart(at: object, i: number): void; setEnd(at: object, i: number): void } & {
        getClientRects(): Iterable<Box>;
      };
    };
    innerWidth: number;
    getComputedStyle(of: Place): { overflowX: string; visibility: string; lineHeight: string };
  }
  const { document, innerWidth, getComputedStyle } = globalThis as unknown as Window;
  const faults: string[] = [];
  const nameOf = (of: Place): string => `${of.tagName.toLowerCase()} "${of.textContent.slice(0, 40)}"`;
  const isSeen = (of: Place): boolean => {
    const { width } = of.getBoundingClientRect();
    return width > 0 && of.closest('details:not([open])') === null;
  };
  /** The lines that some letters of a text stand on. */
  const lines = (of: object, from: number, to: number): number => {
    const range = document.createRange();
    range.setStart(of, from);
    range.setEnd(of, to);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const texts = (of: Place): (Place & { data: string })[] =>
    [...of.childNodes].flatMap((node) => (node.nodeType === 3 ? [node] : texts(node)));
  const words = (of: Place, pattern: RegExp, told: string): void => {
    for (const text of texts(of))
      for (const { 0: word, index } of text.data.matchAll(pattern))
        if (lines(text, index, index + word.length) > 1) faults.push(`${told} broken: ${word} in ${nameOf(of)}`);
  };

  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than its window');
  for (const cell of document.querySelectorAll('.number, .figures dd'))
    if (isSeen(cell)) words(cell, /[^\s]+/g, 'number');
  for (const head of document.querySelectorAll('th, h1, h2, h3, dt')) {
    if (!isSeen(head) || (head.matches('th') && head.getBoundingClientRect().width < 2)) continue;
    words(head, /(?<!\S)\S{1,12}(?!\S)/g, 'heading');
    for (const text of texts(head)) {
      const rows = lines(text, 0, text.data.length);
      if (rows > 1 && text.data.trim().length / rows < 4) faults.push(`stacked letter by letter: ${nameOf(head)}`);
    }
  }
  for (const box of document.querySelectorAll('body *')) {
    if (!isSeen(box)) continue;
    const { overflowX } = getComputedStyle(box);
    const { right, left } = box.getBoundingClientRect();
    const scrolls = box.closest('.wide .plot') !== null && !paper;
    if (!scrolls && overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1 && !box.matches('thead'))
      faults.push(`cut off at its right: ${nameOf(box)}`);
    if (!scrolls && box.closest('thead') === null && (right > innerWidth + 1 || left < -1))
      faults.push(`beyond the page: ${nameOf(box)}`);
  }
  for (const cell of document.querySelectorAll('td, th'))
    if (isSeen(cell) && cell.closest('thead') === null && cell.scrollWidth > cell.clientWidth + 1)
      faults.push(`runs into its neighbour: ${nameOf(cell)}`);
  for (const picture of document.querySelectorAll('svg')) {
    if (!isSeen(picture)) continue;
    const frame = picture.getBoundingClientRect();
    for (const text of picture.querySelectorAll('text')) {
      const box = text.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1)
        faults.push(`label cut off: ${nameOf(text)}`);
    }
  }
  return faults;
};

const reports: readonly (readonly [string, () => { bundle: ReportSource; table: ReportOptions['public'] }])[] = [
  ['many attributes', () => wideBundle(20)],
  ['households with long names', longNamed],
  ['groups', groupedBundle],
  ['hostile names', hostile],
];

describe.each(reports)('a report of %s', (name, make) => {
  const { bundle, table } = make();
  const file = path.join(folder, `${name.replaceAll(' ', '-')}.html`);
  beforeAll(async () => writeFileSync(file, await makeReport(bundle, { public: table })));

  it.each([
    ['on a phone', 390, 'screen', false],
    ['on a phone, with everything opened', 390, 'screen', true],
    ['on a tablet, with everything opened', 768, 'screen', true],
    // A4 between the page's margins.
    ['on paper', 688, 'print', false],
    ['on paper, with everything opened', 688, 'print', true],
  ] as const)('has nothing broken, stacked or cut off %s', async (where, width, media, opened) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ media });
    await page.goto(pathToFileURL(file).href);
    if (opened) await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    else
      await page.screenshot({
        path: path.join(pictures, `${name}, ${where}.png`.replaceAll(/[ ,]+/g, '-')),
        fullPage: true,
      });
    expect(await page.evaluate(`(${faultsIn.toString()})(${media === 'print'})`)).toEqual([]);
  });
});
