import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workbookOf, zipOf } from '../../../fuzz/workbook-of.js';
import { headerNames } from '../../private/header-names.js';
import { readColumns } from '../read-columns.js';
import { tableFile } from '../table-file.js';
import { workbookCopy } from './workbook-copy.js';
import { xmlTokens } from './xml-tokens.js';
import { zipEntries } from './zip-entries.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'xlsx-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>paid, twice</t></is></c><c r="D1" t="str"><v>born</v></c></row>
  <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><f>1/10</f><v>0.10000000000000001</v></c><c r="C2" t="b"><v>1</v></c><c r="D2" s="1"><v>43831</v></c></row>
  <row r="3"/><row r="4"><c r="A4" s="1"/></row>
  <row r="5"><c r="B5" t="e"><v>#DIV/0!</v></c><c r="C5" t="b"><v>0</v></c><c r="D5" s="2"><v>43831.75</v></c></row>
  <row r="6"><c t="s"><v>2</v></c><c><v>1E+21</v></c></row>`;
const texts = ['na&amp;me', 'a &quot;b&quot;\n_x0041_', '<r>'];

const save = async (name: string, bytes: Uint8Array) => {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return tableFile(file);
};

describe('a workbook', () => {
  it('is the table of its one sheet: texts, numbers, dates by their format, truth values; errors are empty and empty rows are none', async () => {
    const { file, remove } = await workbookCopy(await save('a.xlsx', workbookOf(rows, { texts })), folder);
    expect(await readFile(file.path, 'utf8')).toBe(
      'na&me,"paid, twice",,born\n"a ""b""\nA",0.1,true,2020-01-01\n,,false,2020-01-01 18:00:00\n<r>,1e+21,,\n',
    );
    await remove();
    expect((await readdir(folder)).filter((name) => name.startsWith('surmise-'))).toEqual([]);
  });

  it('counts days from 1904 where it says so', async () => {
    const dated = '<row r="1"><c r="A1" t="str"><v>d</v></c></row><row r="2"><c r="A2" s="1"><v>1</v></c></row>';
    const { file, remove } = await workbookCopy(await save('b.xlsx', workbookOf(dated, { from1904: true })));
    expect(await readFile(file.path, 'utf8')).toBe('d\n1904-01-02\n');
    await remove();
  });

  it('is read wherever tables are', async () => {
    const plain =
      '<row r="1"><c r="A1" t="str"><v>x</v></c><c r="B1" t="str"><v>y</v></c></row><row r="2"><c r="A2"><v>7</v></c></row>';
    const { path: file } = await save('c.xlsx', workbookOf(plain, {}));
    expect((await headerNames(file)).names).toEqual(['x', 'y']);
    const found = [];
    for await (const part of readColumns(file)) found.push(part);
    expect(found).toEqual([{ x: ['7'], y: [''] }]);
  });

  it.each<[string, () => Uint8Array, string]>([
    ['no zip file', () => Buffer.from('PK'), 'must be a whole workbook'],
    ['cut off', () => workbookOf(rows, { texts }).subarray(0, 900), 'must be a whole workbook'],
    ['a damaged sheet', () => workbookOf(rows, { texts, damage: true }), 'must be a whole workbook'],
    ['two sheets', () => workbookOf(rows, { texts, sheets: 2 }), 'must have one sheet that is not hidden, got 2'],
    ['nothing in it', () => workbookOf('', {}), 'must have at least a header'],
    [
      'values beyond its header',
      () =>
        workbookOf('<row r="1"><c r="A1"><v>1</v></c></row><row r="9"><c r="C9" t="str"><v>secret</v></c></row>', {}),
      'row 9 must have no values beyond the 1 columns',
    ],
    [
      'a cell in no column, which would take more memory than there is',
      () => workbookOf('<row r="1"><c r="ZZZZZZ1" t="str"><v>secret</v></c></row>', {}),
      'must be a whole workbook',
    ],
    [
      'a text that is not there',
      () => workbookOf('<row r="1"><c r="A1" t="s"><v>5</v></c></row>', {}),
      'must be a whole',
    ],
  ])('with %s is refused in one sentence, and leaves no copy', async (_, bytes, says) => {
    const file = await save('bad.xlsx', bytes());
    const failed = await workbookCopy(file, folder).catch((error: Error) => error.message);
    expect(failed).toContain(says);
    expect(failed).not.toContain('secret');
    expect((await readdir(folder)).filter((name) => name.startsWith('surmise-'))).toEqual([]);
  });

  it('is read once through, also where tags and comments have no end', () => {
    for (const part of ['<a ', '<!--', '<a b="', '<![CDATA[']) {
      const tokens = [...xmlTokens(`<r>text</r>${part.repeat(200_000)}`)];
      expect(tokens).toEqual([{ open: 'r', attributes: '', isEmpty: false }, { text: 'text' }, { close: 'r' }]);
    }
    expect([...xmlTokens(`<x:c r="A>1" t='s'/><!-- > --><![CDATA[<v>]]>&lt;&#65;`)]).toEqual([
      { open: 'c', attributes: ` r="A>1" t='s'`, isEmpty: true },
      { text: '<v>' },
      { text: '<A' },
    ]);
  });

  it('is a zip file whose entries are checked against their sums', () => {
    const zip = zipOf({ 'a/b': 'text', c: 'x'.repeat(1000) });
    const entries = zipEntries(zip);
    expect(entries.get('a/b')?.read().toString()).toBe('text');
    expect(entries.get('c')).toMatchObject({ size: 1000 });
    expect(deflateRawSync('x'.repeat(1000)).length).toBeLessThan(100);
  });
});
