import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSchema } from '../adapters/table/read-schema.js';
import { readTable } from '../adapters/table/read-table.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { runHere } from './support/run-here.js';
import { type OpenedStudio, openStudio } from './support/studio.js';
import {
  findings,
  journalled,
  keptDraft,
  keptStep,
  next,
  saved,
  townCsv,
  townParquet,
  trouble,
  unzip,
  zip,
} from './support/studio-steps.js';

const folder = mkdtempSync(path.join(tmpdir(), 'surmise-studio-'));
const at = (name: string): string => path.join(folder, name);
let studio: OpenedStudio;
/** The release that the first test takes home. */
let archive: Buffer;

beforeAll(async () => {
  writeFileSync(at('town-2018.parquet'), townParquet(1500, 1));
  writeFileSync(at('town-2023.csv'), townCsv(1200, 2));
  writeFileSync(at('town-2023.parquet'), townParquet(1200, 2));
  studio = await openStudio();
}, 300_000);

afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the studio in Chromium', { timeout: 400_000 }, () => {
  it('takes a person from two tables to a release that the command line verifies, and that it makes byte for byte with the same seeds', async () => {
    const page = await studio.open();
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.setInputFiles('#private-file', at('town-2023.csv'));
    await page.setInputFiles('#public-file', at('town-2018.parquet'));
    for (const role of ['private', 'public']) await page.waitForSelector(`.card.${role} .file`);
    // Of the private table the page shows its name and its columns, and not how large it is.
    expect(await page.locator('.card.private .file').innerText()).toBe('town-2023.csv\n4 columns');
    const kept = { private: { name: 'town-2023.csv', bytes: undefined } };
    await expect.poll(() => keptDraft(page), { timeout: 60_000 }).toMatchObject(kept);
    await next(page);
    await page.waitForSelector('.histogram');
    expect(await page.locator('table.columns tbody th').allInnerTexts()).toEqual(['sex', 'age', 'home', 'income']);
    expect(await findings(page)).toEqual([]);
    const schema = await saved(page, 'text=Save as a schema file');
    writeFileSync(at('schema.json'), schema);
    await next(page);
    await page.waitForSelector('.tall-box');
    // How far off every column would be is told before anything is spent.
    for (const row of await page.locator('.tall-box tbody tr').allInnerTexts()) expect(row).toMatch(/[0-9.]+ records/);
    await page.click('#rehearse');
    await page.waitForSelector('.curve .dot >> nth=4');
    await page.waitForSelector('.busy', { state: 'hidden' });
    // Words for those who do not see the curve: what ten times the budget buys, beside a tenth of it.
    const curve = await page.locator('.curve').getAttribute('aria-label');
    const errorAt = (epsilon: string): number => Number(new RegExp(`[ ;]${epsilon}: ([0-9.]+)%`).exec(curve!)![1]);
    expect(errorAt('10')).toBeLessThan(errorAt('0.1'));
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
    expect(await page.locator('.heat').count()).toBe(0);
    await page.selectOption('#pair-second', 'home');
    await page.waitForSelector('.heat');
    // A cell for each pair of values: two sexes and all others by three homes and all others, and each says what it holds.
    const cells = await page.locator('.heat rect title').allTextContents();
    expect(cells).toHaveLength(3 * 4);
    const told = cells.map((cell) => Number(/: ([0-9.]+)%$/.exec(cell)![1]));
    expect(told.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 0);
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
    await page.fill('#sql', '');
    await page.click('#sql');
    await page.keyboard.type("SELECT COUNT(*) FROM data WHERE home = 'ho");
    await page.waitForSelector('[role=listbox]');
    expect(await findings(page)).toEqual([]);
    expect(await page.locator('[role=option]').allInnerTexts()).toEqual(["'house'"]);
    await page.keyboard.press('Tab');
    expect(await page.locator('#sql').innerText()).toBe("SELECT COUNT(*) FROM data WHERE home = 'house'");
    // Where nothing is offered, Tab goes on: nobody is kept in the field.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('ask-sql');
    await page.fill('#sql', 'SELECT AVG(nothing) FROM data');
    await page.click('#ask-sql');
    await page.waitForSelector('.trouble');
    expect(await trouble(page)).toContain('SQL 1:12: must be an attribute of the release');
    expect(await page.locator('.cm-fault').innerText()).toBe('nothing');
    expect(await page.locator('#sql').getAttribute('aria-invalid')).toBe('true');
    expect(await findings(page)).toEqual([]);
    await next(page);
    archive = await saved(page, '#save-all');
    const files = unzip(archive);
    const ledger = await saved(page, '#save-ledger');
    writeFileSync(at('rows.parquet'), await saved(page, '[aria-label="Save synthetic.parquet"]'));
    expect(await findings(page)).toEqual([]);
    await page.close();
    expect(studio.troubles).toEqual([]);

    expect(Object.keys(files).sort()).toEqual([
      ...['bundle.json', 'measurements.bin', 'model.bin', 'replicates.bin', 'report.html', 'synthetic.csv'],
    ]);
    expect(files['report.html'].toString('utf8')).toContain('<svg role="img"');
    mkdirSync(at('taken'));
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(at('taken'), name), bytes);
    writeFileSync(at('taken.jsonl'), ledger);
    const verified = await runHere(folder, 'verify', 'taken', '--ledger', 'taken.jsonl');
    expect(verified).toMatchObject({ code: 0 });
    const made = await runHere(
      folder,
      ...['release', 'town-2023.csv', '--public', 'town-2018.parquet', '--schema', 'schema.json', '--epsilon', '1'],
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

  it('reads a release back, and answers hostile archives with a sentence', async () => {
    const page = await studio.open();
    const openBytes = async (name: string, bytes: Buffer): Promise<void> => {
      await page.setInputFiles('#bundle-files', { name, mimeType: 'application/zip', buffer: bytes });
    };
    const files = unzip(archive);
    const { 'model.bin': model, 'bundle.json': bundle } = files;
    const changed = Buffer.from(model);
    changed[changed.length >> 1] ^= 1;
    const flipped = Buffer.from(archive);
    flipped[flipped.length >> 1] ^= 1;
    const torn = Buffer.from(bundle.toString('utf8').replace('surmise 0.', 'surmise 9.'));
    for (const [bytes, rule] of [
      [archive.subarray(0, archive.length >> 1), 'must be a whole ZIP file'],
      [flipped, 'must be a whole ZIP file'],
      [Buffer.from('no archive at all'), 'must be a whole ZIP file'],
      [zip({ 'notes.txt': Buffer.from('hello') }), 'must have a bundle.json among its files'],
      [zip({ 'bundle.json': Buffer.from('{}') }), 'bundle.json: '],
      [zip({ 'bundle.json': Buffer.from('[[[[') }), 'bundle.json: '],
      [zip({ ...files, 'model.bin': changed }), 'model.bin'],
      [zip({ ...files, 'bundle.json': torn }), 'must be as surmise wrote it'],
      [zip(files, { size: 0xfffffff0 }), 'must have at most'],
      [zip({ ...files, 'sub/model.bin': model }), 'got two files named'],
    ] as const) {
      await openBytes('somebody.zip', bytes);
      await page.waitForSelector('.trouble');
      expect(await trouble(page)).toContain(rule);
      await page.click('.trouble button');
    }
    await openBytes('somebody.zip', archive);
    await page.waitForSelector('.verdict');
    expect(await page.locator('.card-plot').count()).toBe(4);
    expect(await page.locator('.verdict').innerText()).toContain('the privacy statement follows from the charges');
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('tells what is wrong with a file, in a sentence and without what stands in it', async () => {
    const page = await studio.open();
    const secret = 'SECRET';
    const text = (rows: string): Buffer => Buffer.from(rows);
    for (const [role, name, bytes, rule] of [
      ['private', 'book.xlsx', text('PK'), 'save its sheet as CSV'],
      ['private', 'table.txt', text('a,b\n1,2\n'), 'must end in one of .csv'],
      ['private', 'rows.jsonl', text('{"a":1}\n'), 'read by the command line'],
      ['private', 'empty.csv', text(''), 'got an empty file'],
      ['private', 'headless.csv', text(`17,2020-01-01,${secret}\n`), 'the first line must be a header'],
      ['private', 'twice.csv', text(`${secret},${secret}\n`), 'column names must differ'],
      ['private', 'latin.csv', Buffer.from([0x61, 0x2c, 0xfc, 0x0a]), 'must be UTF-8 text'],
      ['private', 'torn.parquet', text('PAR1PAR1PAR1'), 'must be a whole Parquet file'],
      ['private', 'torn.csv.gz', text('not gzip'), 'must be a whole gzip file'],
      ['public', 'ragged.csv', text(`a,b\n1,2\n3\n`), 'row 2: must have 2 fields'],
      ['public', 'open.csv', text(`a,b\n"1,2\n`), 'a quote must be closed'],
      ['public', 'bare.csv', text('a,b\n'), 'no column could be made an attribute'],
    ] as const) {
      await page.setInputFiles(`#${role}-file`, { name, mimeType: 'text/csv', buffer: bytes });
      await page.waitForSelector('.trouble');
      const told = await trouble(page);
      expect(told).toContain(rule);
      expect(told).not.toContain(secret);
      await page.click('.trouble button');
    }
    expect(await page.locator('.card .file').count()).toBe(0);
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('goes on after a reload with what was paid for, with no public table, and lets one tab spend at a time', async () => {
    const schema = {
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'sex', type: 'category', values: ['f', 'm'] },
        { name: 'age', type: 'integer', min: 0, max: 89, bins: 10 },
        { name: 'home', type: 'category', values: ['flat, let', 'house'], other: 'other' },
        { name: 'income', type: 'number', min: 0, max: 60000, bins: 12, null: true },
      ],
    };
    const first = await studio.open();
    first.on('dialog', (dialog) => void dialog.accept());
    await first.setInputFiles('#private-file', at('town-2023.parquet'));
    await next(first);
    // What names alone say is filled in; what they do not is asked for, all at once.
    expect(await first.locator('.problems li').allInnerTexts()).toEqual([
      'sex: not described yet',
      'home: not described yet',
      'income: not described yet',
    ]);
    expect(await first.locator('.ways .primary').isDisabled()).toBe(true);
    expect(await findings(first)).toEqual([]);
    const buffer = Buffer.from(JSON.stringify(schema));
    await first.setInputFiles('.filing input', { name: 'schema.json', mimeType: 'application/json', buffer });
    await first.click('[aria-label="Edit age"]');
    await first.selectOption('[aria-label="Type of age"]', 'integer');
    await first.fill('.editor input >> nth=1', '99');
    await first.locator('.editor input >> nth=1').blur();
    await first.waitForSelector('text=whole numbers 0 – 99, in 20 bins');
    const ready = async (page: Page): Promise<void> => {
      await next(page);
      await page.waitForSelector('.tall-box');
      // Whose rounds take long enough for all that happens in the middle.
      await page.selectOption('#method', 'gem');
      await page.waitForSelector('.tall-box');
      await next(page);
      await page.fill('#typed', '1');
    };
    await ready(first);
    await expect.poll(() => keptStep(first), { timeout: 60_000 }).toBe('release');
    const second = await studio.open(first);
    await second.click('.step >> text=Tables');
    await second.setInputFiles('#private-file', at('town-2023.parquet'));
    await second.waitForSelector('.card.private .file');
    await next(second);
    await ready(second);

    await first.click('.danger');
    await expect.poll(() => journalled(first), { interval: 5, timeout: 60_000 }).toBeGreaterThan(2);
    await second.click('.danger');
    await second.waitForSelector('.trouble');
    expect(await trouble(second)).toContain('is being spent from in another tab');
    await second.close();
    await first.click('#pause');
    await first.waitForSelector('#resume');
    expect(await first.locator('.problems').innerText()).toContain('Paused: what was paid for is kept');
    const paid = await journalled(first);
    // By the same button as after a crash: it goes on until the page is gone.
    await first.click('#resume');
    await first.reload();
    await first.waitForSelector('[data-ready]', { state: 'attached' });
    expect(await journalled(first)).toBeGreaterThanOrEqual(paid);
    await first.click('.step >> text=Tables');
    expect(await first.locator('.again').innerText()).toContain('Choose town-2023.parquet again');
    await first.setInputFiles('#private-file', at('town-2023.parquet'));
    await first.waitForSelector('.card.private .file');
    await first.click('.step >> text=Release');
    await first.click('#resume');
    await first.waitForSelector('.card-plot');
    expect(await journalled(first)).toBe(0);
    await first.click('#verify');
    await first.waitForSelector('.verdict');
    expect(await first.locator('.verdict').innerText()).toContain(
      'holds the charges of this release, and no others of it',
    );
    // The budget is spent, once: another release is refused before anything is read.
    await first.click('.step >> text=Release');
    await first.fill('#typed', '1');
    await first.click('.danger');
    await first.waitForSelector('.trouble');
    expect(await trouble(first)).toContain('remaining; ask for less');
    await first.close();
    expect(studio.troubles).toEqual([]);
  });

  it('takes a visitor through the country of the demo without a network, with the columns and rules that one says', async () => {
    const page = await studio.open();
    await page.evaluate('navigator.serviceWorker.ready');
    // The whole way asks nobody for anything.
    await page.context().setOffline(true);
    await page.click('#demo');
    await page.waitForSelector('.histogram');
    await page.waitForSelector('.busy', { state: 'hidden' });
    const names = await page.locator('table.columns tbody th').allInnerTexts();
    const left = ['sex', 'settlement', 'tenure', 'disability'];
    for (const name of names.filter((one) => !left.includes(one)))
      await page.uncheck(`[data-column=${name}] td:first-child input`);
    await page.click('text=What every row keeps');
    await page.click('text=Add a rule');
    await page.fill('.list .code', "settlement = 'city' AND nobody = 'here'");
    await page.locator('.list .code').blur();
    await page.locator('.problems', { hasText: 'nobody' }).waitFor();
    expect(await page.locator('.ways .primary').isDisabled()).toBe(true);
    await page.fill('.list .code', "settlement = 'city' AND tenure = 'social rent'");
    await page.locator('.list .code').blur();
    await page.waitForSelector('.ways .primary:not([disabled])');
    await next(page);
    await page.waitForSelector('.tall-box');
    await next(page);
    await page.waitForSelector('#typed');
    // What would be left is told before it is spent.
    await page.fill('#allowance', '2');
    await page.locator('#allowance').blur();
    await page.waitForSelector('text=releases add up to less');
    expect(Number(/^[0-9.]+/.exec(await page.locator('.spending dd >> nth=2').innerText())![0])).toBeGreaterThan(1);
    await page.fill('#typed', '1');
    await page.click('.danger');
    await page.waitForSelector('.card-plot');
    expect((await page.locator('.card-plot h2').allInnerTexts()).sort()).toEqual([...left].sort());
    await next(page);
    await page.selectOption('#ask-by', 'tenure');
    await page.click('.builder .primary');
    await page.waitForSelector('.answer tbody tr');
    await page.fill('#sql', "SELECT COUNT(*) FROM data WHERE settlement = 'city' AND tenure = 'social rent'");
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.answer tbody tr td >> text=/^0$/');
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('is as good in the dark, on a phone and in German', async () => {
    const page = await studio.open();
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.click('text=Deutsch');
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.setInputFiles('#bundle-files', { name: 'release.zip', mimeType: 'application/zip', buffer: archive });
    await page.waitForSelector('.verdict');
    expect(await findings(page)).toEqual([]);
    await page.click('.step >> text=Fragen');
    // By keyboard alone.
    await page.waitForSelector('#sql');
    await page.focus('#sql');
    await page.keyboard.type('SELECT home, COUNT(*) FROM data GROUP BY home');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.answer');
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('opens without a network once it was there', async () => {
    const page = await studio.open();
    await page.evaluate('navigator.serviceWorker.ready');
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('[data-ready]', { state: 'attached' });
    expect(await page.evaluate('crossOriginIsolated')).toBe(true);
    await page.setInputFiles('#private-file', at('town-2023.csv'));
    await page.waitForSelector('.card.private .file');
    await page.close();
  });
});
