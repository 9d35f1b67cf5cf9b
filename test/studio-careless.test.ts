import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedStudio, openStudio } from './support/studio.js';
import { findings, journalled, next, townCsv, trouble } from './support/studio-steps.js';

let studio: OpenedStudio;

beforeAll(async () => {
  // Files that tests change on their way would otherwise come from the service worker.
  studio = await openStudio({ serviceWorkers: 'block' });
}, 300_000);

afterAll(async () => {
  await studio?.close();
});

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const schemaFile = {
  name: 'schema.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'sex', type: 'category', values: ['f', 'm'] },
        { name: 'age', type: 'integer', min: 0, max: 89, bins: 9 },
      ],
    }),
  ),
};

/** From the first screen to the last before the release, with a table of one's own and nothing public. */
const toRelease = async (page: Page, table: ReturnType<typeof csv>, method = 'mst'): Promise<void> => {
  await page.setInputFiles('#private-file', table);
  await page.waitForSelector('.card.private .file');
  await next(page);
  await page.setInputFiles('.filing input', schemaFile);
  await next(page);
  await page.waitForSelector('.tall-box');
  await page.selectOption('#method', method);
  await page.waitForSelector('.tall-box');
  await next(page);
  await page.waitForSelector('#typed');
};

const chosen = (page: Page, role: string) => page.locator(`.card.${role} .file`);

/** Goes back, and returns when the page has answered: `goBack` also takes what the page itself puts into the history for the way back, and then goes on while the test does. */
const back = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    addEventListener('popstate', () => setTimeout(resolve), { once: true });
    history.back();
  })`);

/** Goes from field to field, as somebody without a mouse does. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let pressed = 0; pressed < 300; pressed++) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by keyboard`);
};

describe('the studio and a person who is not careful', { timeout: 300_000 }, () => {
  it('shows nothing of a private table that is chosen as a public one as well, in any order, or that has a ledger here', async () => {
    const page = await studio.open();
    const secret = csv('people.csv', townCsv(300, 2));
    const copy = { ...secret, name: 'copy.csv' };
    const refused = async (role: string, file: typeof secret, rule: string): Promise<void> => {
      await page.setInputFiles(`#${role}-file`, file);
      await page.waitForSelector('.trouble');
      expect(await trouble(page)).toContain(rule);
      await page.click('.trouble button');
      expect(await chosen(page, role).count()).toBe(0);
    };
    await toRelease(page, secret);
    await page.fill('#typed', '1');
    await page.click('.danger');
    await page.waitForSelector('.card-plot');
    await page.click('.step >> text=Tables');
    await refused('public', copy, 'copy.csv: must be public, got the same bytes as the private table');
    await page.click('.card.private button');
    await page.waitForSelector('#private-file');
    await refused('public', copy, 'got a table that has a ledger in this browser, and so is private');
    expect(await page.locator('.histogram').count()).toBe(0);
    // Whoever has called it public first has seen it; it does not become private by being chosen as that.
    const other = csv('others.csv', townCsv(300, 3));
    await page.setInputFiles('#public-file', other);
    await chosen(page, 'public').waitFor();
    await refused('private', { ...other, name: 'same.csv' }, 'got the same bytes as the public table others.csv');
    await page.setInputFiles('#private-file', csv('fewer.csv', townCsv(200, 3)));
    await chosen(page, 'private').waitFor();
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('stays beside a release that is being made when somebody goes back, and goes back when it is paused', async () => {
    const page = await studio.open();
    page.on('dialog', (dialog) => void dialog.accept());
    await toRelease(page, csv('people.csv', townCsv(400, 2)), 'gem');
    await page.fill('#typed', '1');
    await page.click('.danger');
    // The journal is opened before anything is paid for, and what is stopped there has nothing to go on with.
    await expect.poll(() => journalled(page), { interval: 5, timeout: 60_000 }).toBeGreaterThan(2);
    await back(page);
    await back(page);
    expect(await page.evaluate('location.hash')).toBe('#release');
    expect(await page.locator('#pause').count()).toBe(1);
    await page.click('#pause');
    await page.waitForSelector('#resume');
    await back(page);
    await page.waitForSelector('#method');
    // Where one cannot go, the address does not say that one is there.
    await page.evaluate("location.hash = '#look'");
    await expect.poll(() => page.evaluate('location.hash')).toBe('#budget');
    await page.close();
    expect(studio.troubles).toEqual([]);
  });

  it('begins anew where somebody clears the browser in the middle, and says what it cannot do where nothing may be kept', async () => {
    const page = await studio.open();
    await toRelease(page, csv('people.csv', townCsv(300, 2)));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Storage.clearDataForOrigin', { origin: studio.address.slice(0, -1), storageTypes: 'all' });
    await page.fill('#typed', '1');
    await page.click('.danger');
    await page.waitForSelector('.card-plot');
    expect(await page.locator('.trouble').count()).toBe(0);
    const changed = async (text: string): Promise<Page> => {
      await page.context().route('**/assets/worker-*.js', async (route) => {
        const found = await route.fetch();
        await route.fulfill({ response: found, body: `${text}\n${await found.text()}` });
      });
      const opened = await studio.open(page);
      await page.context().unroute('**/assets/worker-*.js');
      return opened;
    };
    const closed = await changed(
      "Object.defineProperty(globalThis, 'indexedDB', { value: { open: () => { throw new DOMException('', 'SecurityError'); } } });",
    );
    expect(await trouble(closed)).toContain('this browser: must let the page keep its ledger');
    expect(await closed.locator('#private-file').count()).toBe(1);
    await closed.close();
    const dead = await changed("throw new Error('SECRET');");
    expect(await trouble(dead)).toMatch(/the studio/i);
    expect(await trouble(dead)).not.toContain('SECRET');
    await dead.close();
    await page.close();
    // That one alone, which the console has too.
    expect(studio.troubles.splice(0)).toEqual(['SECRET']);
  });

  it('takes tables of no row and of one row, whose release is noise and says so to nobody', async () => {
    for (const rows of ['', 'f,30\n']) {
      const page = await studio.open();
      await toRelease(page, csv('few.csv', `sex,age\n${rows}`));
      await page.fill('#typed', '1');
      await page.click('.danger');
      await page.waitForSelector('.card-plot');
      expect(await page.locator('.card-plot').count()).toBe(2);
      expect(await page.locator('.trouble').count()).toBe(0);
      await page.close();
    }
    expect(studio.troubles).toEqual([]);
  });

  it('shows names as they are written, whatever they look like, within the page', async () => {
    const page = await studio.open();
    const long = 'x'.repeat(3000);
    const name = '<img src=x onerror=document.title=1>';
    const head = `"${name}",__proto__,constructor,${long}`;
    const lines = Array.from({ length: 60 }, (_, i) => `${i % 5},${i % 3},${i % 2},${i % 4}`);
    await page.setInputFiles('#public-file', csv(`${name}.csv`, `${head}\n${lines.join('\n')}\n`));
    await chosen(page, 'public').waitFor();
    expect(await chosen(page, 'public').innerText()).toContain(name);
    await next(page);
    await page.waitForSelector('.histogram');
    expect(await page.locator('table.columns tbody th').allInnerTexts()).toEqual([
      ...[name, '__proto__', 'constructor', long],
    ]);
    expect(await page.title()).toBe('Surmise Studio');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    // Three hundred columns of which nothing is known are one thing to put right.
    const wide = Array.from({ length: 300 }, (_, i) => `c${i}`).join(',');
    const other = await studio.open();
    await other.setInputFiles('#private-file', csv('wide.csv', `${wide}\n`));
    await chosen(other, 'private').waitFor();
    await next(other);
    expect(await other.locator('.problems li').allInnerTexts()).toEqual(['300 columns are not described yet']);
    await page.close();
    await other.close();
    expect(studio.troubles).toEqual([]);
  });

  it('can be gone through without a mouse, from the first screen to the files', async () => {
    const page = await studio.open();
    const go = async (selector: string, key = 'Enter'): Promise<void> => {
      await tabTo(page, selector);
      await page.keyboard.press(key);
    };
    await go('#demo');
    await page.waitForSelector('.histogram');
    await page.waitForSelector('.ways .primary:not([disabled])');
    // Each screen begins at its question.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    for (const name of ['age', 'income', 'commute', 'district', 'occupation'])
      await go(`[data-column=${name}] input[type=checkbox]`, 'Space');
    await page.waitForSelector('.ways .primary:not([disabled])');
    await go('.ways .primary');
    await page.waitForSelector('.tall-box');
    await go('.ways .primary');
    await page.waitForSelector('#typed');
    await tabTo(page, '#typed');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.card-plot');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    await go('#verify', 'Space');
    await page.waitForSelector('.verdict');
    await go('.ways .primary');
    await page.waitForSelector('#sql');
    await tabTo(page, '#ask-by');
    await page.keyboard.press('ArrowDown');
    await go('.builder .primary');
    await page.waitForSelector('.answer tbody tr');
    await go('.ways .primary');
    await tabTo(page, '#save-all');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/^release-.*\.zip$/);
    expect(await findings(page)).toEqual([]);
    await page.close();
    expect(studio.troubles).toEqual([]);
  });
});
