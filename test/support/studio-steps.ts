import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import axe from 'axe-core';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Page } from 'playwright-core';
import { seeded } from '../../src/random/seeded.js';
import { uniformInteger } from '../../src/random/uniform.js';

interface Townsman {
  readonly sex: string;
  readonly age: number;
  readonly home: string;
  readonly income: number | null;
}

/** People of a town: a field with a delimiter and one with quotes and a line end in it, as spreadsheets write them. */
const townsmen = (rows: number, seed: number): readonly Townsman[] => {
  const random = seeded(seed);
  const one = (values: readonly string[]): string => values[uniformInteger(random, values.length)];
  return Array.from({ length: rows }, () => {
    const age = uniformInteger(random, 90);
    const home = one(['flat, let', 'house', 'the "old" mill\nby the river']);
    return { sex: one(['f', 'm']), age, home, income: age < 18 ? null : 1000 * uniformInteger(random, 60) };
  });
};

/** The town as a spreadsheet writes it. */
export const townCsv = (rows: number, seed: number): string => {
  const field = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = townsmen(rows, seed).map(({ sex, age, home, income }) =>
    [sex, age, field(home), income ?? ''].join(','),
  );
  return `\uFEFFsex,age,home,income\r\n${lines.join('\r\n')}\r\n`;
};

/** The same as Parquet, with types of its own. */
export const townParquet = (rows: number, seed: number): Uint8Array => {
  const people = townsmen(rows, seed);
  const columnData = [
    { name: 'sex', data: people.map(({ sex }) => sex), type: 'STRING' as const },
    { name: 'age', data: people.map(({ age }) => age), type: 'INT32' as const },
    { name: 'home', data: people.map(({ home }) => home), type: 'STRING' as const },
    { name: 'income', data: people.map(({ income }) => income), type: 'DOUBLE' as const, nullable: true },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
};

/** What axe-core finds serious on the screen. */
export const findings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as axe.AxeResults;
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
};

/** The files of an archive as the studio writes it. */
export const unzip = (bytes: Buffer): Record<string, Buffer> => {
  const files: Record<string, Buffer> = {};
  for (let start = 0; bytes.readUInt32LE(start) === 0x04034b50; ) {
    const [packed, label] = [bytes.readUInt32LE(start + 18), bytes.readUInt16LE(start + 26)];
    const name = bytes.toString('utf8', start + 30, start + 30 + label);
    files[path.basename(name)] = inflateRawSync(bytes.subarray(start + 30 + label, start + 30 + label + packed));
    start += 30 + label + packed;
  }
  return files;
};

/** An archive with its files stored as they are; `size` is announced in the place of the first one's. */
export const zip = (files: Readonly<Record<string, Buffer>>, { size }: { readonly size?: number } = {}): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt32LE(crc32(bytes), 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt32LE(size ?? bytes.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(head, Buffer.from(name), bytes);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
};

/** How many entries of paid acts the page keeps. */
export const journalled = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('surmise-studio');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const keys = opening.result.transaction('parts').objectStore('parts').getAllKeys();
      keys.onsuccess = () => {
        opening.result.close();
        resolve(keys.result.filter(([log]) => log.startsWith('journal/')).length);
      };
    };
  })`);

/** What the page keeps of what was said, for the next visit. */
const kept = (page: Page): Promise<{ readonly draft?: object; readonly step?: string } | undefined> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('surmise-studio');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const draft = opening.result.transaction('notes').objectStore('notes').get('draft');
      draft.onsuccess = () => {
        opening.result.close();
        resolve(draft.result);
      };
    };
  })`);

/** The step that the page would come back to. */
export const keptStep = async (page: Page): Promise<string | undefined> => (await kept(page))?.step;

/** What was said, as far as it is kept. */
export const keptDraft = async (page: Page): Promise<object | undefined> => (await kept(page))?.draft;

export const next = (page: Page) => page.click('.ways .primary');
export const trouble = (page: Page) => page.locator('.trouble p').innerText();

export const saved = async (page: Page, selector: string): Promise<Buffer> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return readFileSync((await download.path())!);
};
