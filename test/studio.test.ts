import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSchema } from '../adapters/table/read-schema.js';
import { readTable } from '../adapters/table/read-table.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { runHere } from './support/run-here.js';
import { type OpenedStudio, openStudio } from './support/studio.js';

const folder = mkdtempSync(path.join(tmpdir(), 'surmise-studio-'));
const at = (name: string): string => path.join(folder, name);
let studio: OpenedStudio;

/** People of a town: a field with a delimiter and one with quotes and a line end in it, as spreadsheets write them. */
const people = (rows: number, seed: number): string => {
  const random = seeded(seed);
  const one = (values: readonly string[]): string => values[uniformInteger(random, values.length)];
  const lines = Array.from({ length: rows }, () => {
    const age = uniformInteger(random, 90);
    const home = one(['"flat, let"', 'house', '"the ""old"" mill\nby the river"']);
    return [one(['f', 'm']), age, home, age < 18 ? '' : 1000 * uniformInteger(random, 60)].join(',');
  });
  return `\uFEFFsex,age,home,income\r\n${lines.join('\r\n')}\r\n`;
};

beforeAll(async () => {
  writeFileSync(at('town-2018.csv'), people(1500, 1));
  writeFileSync(at('town-2023.csv'), people(1200, 2));
  studio = await openStudio();
}, 300_000);

afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What axe-core finds serious on the screen. */
const findings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
};

/** The files of an archive as the studio writes it. */
const unzip = (bytes: Buffer): Record<string, Buffer> => {
  const files: Record<string, Buffer> = {};
  for (let start = 0; bytes.readUInt32LE(start) === 0x04034b50; ) {
    const [packed, label] = [bytes.readUInt32LE(start + 18), bytes.readUInt16LE(start + 26)];
    const name = bytes.toString('utf8', start + 30, start + 30 + label);
    files[path.basename(name)] = inflateRawSync(bytes.subarray(start + 30 + label, start + 30 + label + packed));
    start += 30 + label + packed;
  }
  return files;
};

const next = (page: Page) => page.click('.ways .primary');
const trouble = (page: Page) => page.locator('.trouble p').innerText();

const saved = async (page: Page, selector: string): Promise<Buffer> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return readFileSync((await download.path())!);
};

describe('the studio in Chromium', { timeout: 400_000 }, () => {
  it('takes a person from two tables to a release that the command line verifies, and that it makes byte for byte with the same seeds', async () => {
    const page = await studio.open();
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.setInputFiles('#private-file', at('town-2023.csv'));
    await page.setInputFiles('#public-file', at('town-2018.csv'));
    for (const role of ['private', 'public']) await page.waitForSelector(`.card.${role} .file`);
    // Of the private table the page shows its name and its columns, and not how large it is.
    expect(await page.locator('.card.private .file').innerText()).toBe('town-2023.csv\n4 columns');
    await next(page);
    await page.waitForSelector('.histogram');
    expect(await page.locator('table.columns tbody th').allInnerTexts()).toEqual(['sex', 'age', 'home', 'income']);
    expect(await findings(page)).toEqual([]);
    const schema = await saved(page, 'text=Save as a schema file');
    writeFileSync(at('schema.json'), schema);
    await next(page);
    await page.waitForSelector('.tall-box');
    expect(await findings(page)).toEqual([]);
    await page.click('text=For tests and repetition');
    await page.fill('#seed', '7');
    await page.fill('#unsafe-seed', '3');
    await page.locator('#unsafe-seed').blur();
    await next(page);
    await page.waitForSelector('#typed');
    expect(await page.locator('.danger').isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.fill('#typed', '1');
    await page.click('.danger');
    await page.waitForSelector('.card-plot');
    expect(await page.locator('.card-plot').count()).toBe(4);
    await page.click('#verify');
    await page.waitForSelector('.verdict');
    expect(await page.locator('.verdict').innerText()).toContain(
      'the ledger is sound and holds the charges of this release',
    );
    expect(await findings(page)).toEqual([]);
    await next(page);
    await page.selectOption('#ask-by', 'sex');
    await page.click('.builder .primary');
    await page.waitForSelector('.answer tbody tr');
    expect(await page.locator('.answer tbody th').allInnerTexts()).toEqual(['f', 'm', 'other']);
    await page.fill('#sql', 'SELECT AVG(ag');
    await page.press('#sql', 'Tab');
    expect(await page.inputValue('#sql')).toBe('SELECT AVG(age ');
    await page.fill('#sql', 'SELECT AVG(nothing) FROM data');
    await page.click('#ask-sql');
    await page.waitForSelector('.trouble');
    expect(await trouble(page)).toContain('SQL 1:12: must be an attribute of the release');
    expect(await findings(page)).toEqual([]);
    await next(page);
    const files = unzip(await saved(page, '#save-all'));
    const ledger = await saved(page, '#save-ledger');
    writeFileSync(at('rows.parquet'), await saved(page, '[aria-label="Save synthetic.parquet"]'));
    expect(await findings(page)).toEqual([]);
    await page.close();
    expect(studio.troubles).toEqual([]);

    mkdirSync(at('taken'));
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(at('taken'), name), bytes);
    writeFileSync(at('taken.jsonl'), ledger);
    const verified = await runHere(folder, 'verify', 'taken', '--ledger', 'taken.jsonl');
    expect(verified).toMatchObject({ code: 0 });
    const made = await runHere(
      folder,
      ...['release', 'town-2023.csv', '--public', 'town-2018.csv', '--schema', 'schema.json', '--epsilon', '1'],
      ...['--seed', '7', '--unsafe-seed', '3', '--ledger', 'tests.jsonl', '-o', 'made'],
    );
    expect(made).toMatchObject({ code: 0 });
    for (const name of ['synthetic.csv', 'measurements.bin', 'model.bin', 'replicates.bin'])
      expect(Buffer.compare(files[name], readFileSync(path.join(at('made'), name))), name).toBe(0);
    const domain = domainFromSchema(await readSchema(at('schema.json')));
    const [plain, typed] = [
      await readTable(at('made/synthetic.csv'), domain),
      await readTable(at('rows.parquet'), domain),
    ];
    expect(typed.columns).toEqual(plain.columns);
  });

  it('asks for nothing after it was loaded, and its worker may connect to nothing either', async () => {
    const page = await studio.open();
    await page.evaluate('navigator.serviceWorker.ready');
    const before = studio.asked.length;
    const isOwn = (address: string) => address.startsWith(studio.address) || address.startsWith('blob:');
    expect(studio.asked.filter((address) => !isOwn(address))).toEqual([]);
    await page.setInputFiles('#private-file', at('town-2023.csv'));
    await page.waitForSelector('.card .file');
    expect(studio.asked.slice(before).filter((address) => !address.startsWith('blob:'))).toEqual([]);
    const refused = "fetch('http://127.0.0.1:9/').then(() => 'let through', (error) => error.name)";
    expect(await page.evaluate(refused)).toBe('TypeError');
    const inWorker = `new Promise((resolve) => {
      const text = new Blob(["addEventListener('securitypolicyviolation', ({ effectiveDirective }) => postMessage(effectiveDirective)); ${refused}.then((told) => setTimeout(() => postMessage(told), 5000))"]);
      new Worker(URL.createObjectURL(text)).onmessage = ({ data }) => resolve(data);
    })`;
    expect(await page.evaluate(inWorker)).toBe('connect-src');
    await page.close();
  });
});
