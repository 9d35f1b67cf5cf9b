import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';
import { runHere } from './support/run-here.js';
import { type OpenedStudio, openStudio } from './support/studio.js';
import { findings, next, saved, townCsv, trouble, unzip } from './support/studio-steps.js';

const folder = mkdtempSync(path.join(tmpdir(), 'surmise-studio-kinds-'));
const at = (name: string): string => path.join(folder, name);
let studio: OpenedStudio;

/** Households of a village and the persons who live in them: two tables that share a key. */
const village = (homes: number, seed: number): { readonly homes: string; readonly persons: string } => {
  const random = seeded(seed);
  const one = (values: readonly string[]): string => values[uniformInteger(random, values.length)];
  const [households, persons] = [['hh,street'], ['hh,age,sex']];
  for (let home = 1; home <= homes; home++) {
    households.push(`${home},${one(['mill', 'church'])}`);
    for (let i = uniformInteger(random, 3); i >= 0; i--)
      persons.push(`${home},${uniformInteger(random, 90)},${one(['f', 'm'])}`);
  }
  return { homes: `${households.join('\n')}\n`, persons: `${persons.join('\n')}\n` };
};

beforeAll(async () => {
  for (const [year, homes, seed] of [
    [2018, 300, 1],
    [2023, 260, 2],
  ] as const) {
    const tables = village(homes, seed);
    writeFileSync(at(`homes-${year}.csv`), tables.homes);
    writeFileSync(at(`persons-${year}.csv`), tables.persons);
  }
  for (const [name, rows, seed] of [
    ['north.csv', 500, 1],
    ['south.csv', 400, 3],
    ['own.csv', 600, 2],
    ['raw.csv', 4000, 4],
  ] as const)
    writeFileSync(at(name), townCsv(rows, seed));
  studio = await openStudio();
}, 300_000);

afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true, force: true });
});

const choose = async (page: Page, id: string, file: string): Promise<void> => {
  await page.setInputFiles(`#${id}`, at(file));
  await page.waitForSelector(`.file >> text=${file}`);
  await page.waitForSelector('.busy', { state: 'hidden' });
};

/** From the budget to the release, with seeds; then its files, and its ledger, as the person takes them home. */
const released = async (
  page: Page,
  before: () => Promise<void> = async () => {},
): Promise<{ readonly files: Record<string, Buffer>; readonly ledger: Buffer }> => {
  await page.click('text=For tests and repetition');
  await page.fill('#seed', '7');
  await page.fill('#unsafe-seed', '3');
  await page.locator('#unsafe-seed').blur();
  await next(page);
  await page.waitForSelector('#typed');
  await before();
  await page.fill('#typed', '1');
  await page.click('.danger');
  await page.waitForSelector('.card-plot');
  await page.waitForSelector('.busy', { state: 'hidden' });
  expect(await findings(page)).toEqual([]);
  await page.click('.step >> text=Take home');
  return { files: unzip(await saved(page, '#save-all')), ledger: await saved(page, '#save-ledger') };
};

/** Puts the files of a release into a folder, and has the command line check them. */
const verified = async (
  name: string,
  { files, ledger }: { readonly files: Record<string, Buffer>; readonly ledger: Buffer },
): Promise<void> => {
  mkdirSync(at(name));
  for (const [file, bytes] of Object.entries(files)) writeFileSync(path.join(at(name), file), bytes);
  writeFileSync(at(`${name}.jsonl`), ledger);
  expect(await runHere(folder, 'verify', name, '--ledger', `${name}.jsonl`)).toMatchObject({ code: 0 });
};

describe('other kinds of releases in the studio', { timeout: 400_000 }, () => {
  it('releases households with their persons, as the command line does, and asks both', async () => {
    const page = await studio.open();
    await choose(page, 'private-file', 'persons-2023.csv');
    await page.click('text=Do these persons live in households?');
    await choose(page, 'homes-file', 'homes-2023.csv');
    await choose(page, 'public-file', 'persons-2018.csv');
    await choose(page, 'public-homes-file', 'homes-2018.csv');
    expect(await findings(page)).toEqual([]);
    await next(page);
    await page.waitForSelector('.histogram');
    expect(await page.locator('table.columns tbody th').allInnerTexts()).toEqual(['street household', 'age', 'sex']);
    expect(await page.locator('.unit').innerText()).toBe('Protects: whole households, known by hh');
    await page.fill('#most', '3');
    await page.locator('#most').blur();
    expect(await findings(page)).toEqual([]);
    writeFileSync(at('homes.json'), await saved(page, 'text=Save as a schema file'));
    await next(page);
    await page.waitForSelector('.tall-box');
    const taken = await released(page);
    expect(Object.keys(taken.files)).toEqual(expect.arrayContaining(['persons.csv', 'households.csv', 'bundle.json']));
    await verified('village', taken);
    const made = await runHere(
      folder,
      ...['release', 'persons-2023.csv', '--households', 'homes-2023.csv', '--schema', 'homes.json', '--epsilon', '1'],
      ...['--public', 'persons-2018.csv', '--public-households', 'homes-2018.csv'],
      ...['--seed', '7', '--unsafe-seed', '3', '--ledger', 'tests.jsonl', '-o', 'made'],
    );
    expect(made).toMatchObject({ code: 0 });
    for (const name of ['persons.csv', 'households.csv', 'measurements.bin', 'model.bin'])
      expect(Buffer.compare(taken.files[name], readFileSync(path.join(at('made'), name))), name).toBe(0);
    await page.click('.step >> text=Ask');
    await page.selectOption('#ask-what', 'homes');
    expect(await page.locator('#ask-by option').allInnerTexts()).toEqual(['nothing: in all', 'street']);
    await page.selectOption('#ask-by', 'street');
    await page.click('.builder .primary');
    await page.waitForSelector('.answer tbody tr');
    await page.waitForSelector('#sql');
    expect(await page.locator('#sql').innerText()).toBe('SELECT street, COUNT(*) FROM households GROUP BY street');
    expect(await page.locator('.answer tbody th').allInnerTexts()).toEqual(expect.arrayContaining(['mill', 'church']));
    // Both tables lead to the ledger: the households alone find it, and are refused, since it protects somebody else.
    await page.click('.step >> text=Tables');
    for (const name of ['persons-2018.csv', 'persons-2023.csv']) await page.click(`[aria-label="Take away: ${name}"]`);
    await choose(page, 'private-file', 'homes-2023.csv');
    await next(page);
    await page.uncheck('[data-column=hh] td:first-child input');
    expect(await page.locator('.problems li').allInnerTexts()).toEqual([
      'No column is left to release: tick at least one.',
    ]);
    await page.check('[data-column=street] td:first-child input');
    await page.click('[aria-label="Edit street"]');
    await page.selectOption('[aria-label="Type of street"]', 'category');
    await page.fill('.editor textarea', 'mill\nchurch');
    await page.locator('.editor textarea').blur();
    await page.waitForSelector('.ways .primary:not([disabled])');
    await next(page);
    await page.waitForSelector('.tall-box');
    await next(page);
    await page.waitForSelector('.spending >> text=Remaining before');
    expect(await page.locator('.spending').innerText()).toContain('Remaining before');
    await page.fill('#typed', '1');
    await page.click('.danger');
    await page.waitForSelector('.trouble');
    expect(await trouble(page)).toMatch(/remaining|protects/);
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('has several public tables serve together, or one of them chosen for a price that it tells', async () => {
    const page = await studio.open();
    await choose(page, 'private-file', 'own.csv');
    await choose(page, 'public-file', 'north.csv');
    await page.click('text=More than one public table');
    await choose(page, 'more-public-file', 'south.csv');
    await page.setInputFiles('#more-public-file', at('north.csv'));
    await page.waitForSelector('.trouble');
    expect(await trouble(page)).toContain('must have names of their own, got "north.csv" twice');
    await page.click('.trouble button');
    expect(await findings(page)).toEqual([]);
    await page.selectOption('#together', 'paid');
    await next(page);
    await page.waitForSelector('.histogram');
    await next(page);
    await page.waitForSelector('.choosing');
    expect(await page.locator('.choosing').innerText()).toBe(
      'A tenth of the budget is for choosing among the 2 public tables.',
    );
    await page.click('text=Notes of the method, for experts');
    expect(await page.locator('.remarks').innerText()).toContain(
      'Which of 2 public tables serves is chosen for 10% of the budget',
    );
    await page.click('.step >> text=Tables');
    await page.selectOption('#together', 'together');
    await page.click('.step >> text=Budget');
    await page.waitForSelector('.tall-box');
    const taken = await released(page);
    await verified('several', taken);
    expect(JSON.parse(taken.files['bundle.json'].toString('utf8')).public.file).toBe('north.csv + south.csv');
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('asks the private table what its columns hold, says before what that costs, and publishes what it found; its ledger is kept in a file that the person chose', async () => {
    const page = await studio.open();
    await choose(page, 'private-file', 'raw.csv');
    await next(page);
    await page.waitForSelector('#ask-rest');
    await page.click('#ask-rest');
    await page.waitForSelector('.ways .primary:not([disabled])');
    expect(await page.locator('.note').first().innerText()).toContain('for a part of the budget');
    expect(await findings(page)).toEqual([]);
    const draft = JSON.parse((await saved(page, 'text=Save as a schema file')).toString('utf8'));
    expect(draft.attributes).toContainEqual({ name: 'home', type: 'discover' });
    await next(page);
    await page.waitForSelector('.tall-box');
    expect(await page.locator('#buys-title ~ p').first().innerText()).toMatch(/^5%–33% of the budget is for asking/);
    expect(await findings(page)).toEqual([]);
    // A file of the browser's own stands for one that the person would choose in its window.
    await page.evaluate(`globalThis.showSaveFilePicker = async ({ suggestedName }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`);
    const taken = await released(page, async () => {
      await page.click('#ledger-file');
      await page.waitForSelector('text=The ledger will begin in raw.csv.ledger.jsonl');
      expect(await findings(page)).toEqual([]);
    });
    const written = await page.evaluate(`navigator.storage.getDirectory()
      .then((folder) => folder.getFileHandle('raw.csv.ledger.jsonl')).then((own) => own.getFile()).then((file) => file.text())`);
    expect(written).toBe(taken.ledger.toString('utf8'));
    await verified('asked', taken);
    const { schema, discovery } = JSON.parse(taken.files['bundle.json'].toString('utf8'));
    expect(discovery.share).toBeGreaterThanOrEqual(0.05);
    expect(discovery.share).toBeLessThanOrEqual(0.33);
    const home = schema.attributes.find(({ name }: { name: string }) => name === 'home');
    expect(home.values).toEqual(expect.arrayContaining(['flat, let', 'house', 'the "old" mill\nby the river']));
    await page.click('.step >> text=Look');
    await page.click('text=Asked of the private table before');
    expect(await page.locator('main').innerText()).toMatch(/for [0-9.]+% of the budget/);
    await page.close();
    expect(studio.troubles).toEqual([]);
  });
});
