import { openPrivateFile } from '../../adapters/private/private-file.js';
import { csvHeader } from '../../adapters/table/csv-header.js';
import { tableFile } from '../../adapters/table/table-file.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { mutateBytes } from '../mutate/bytes.js';
import { mutateLines } from '../mutate/lines.js';
import { mixed } from '../mutate/mutator.js';
import { mutateText } from '../mutate/text.js';
import { mutateWorkbook } from '../mutate/workbook.js';
import { scratchFile } from '../scratch-file.js';
import { schema, table } from '../seeds.js';
import type { Target } from '../target.js';
import { workbookOf } from '../workbook-of.js';

/** Stands in rows of the private tables below, and must come out nowhere: not even as a part of a message. */
const secrets = ['Qzxvillage', '7391482'];
const words = [
  'Qzxvillage',
  '7391482',
  '7391482.25',
  'Bonn',
  'true',
  '"',
  '""',
  ',',
  '\n',
  '\r\n',
  '\t',
  'null',
  '{',
  '}',
  ':',
  '2011-01-01',
  'age',
  'city',
  'vip',
  'born',
];
const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

const open =
  (name: string) =>
  async (bytes: Uint8Array): Promise<string> => {
    const source = await openPrivateFile(scratchFile(name, bytes), schema, {
      random: seededEntropy(1),
      dataset: 'fuzz',
      threads: 1,
      memoryLimit: 2 ** 28,
    });
    await source.close();
    return '';
  };

const rows = `${table(6, 0)}\n12,Qzxvillage,true,2011-02-02\n7391482,Bonn,false,2012-01-01\n`;
const objects = [
  { age: 12, city: 'Qzxvillage', vip: true, born: '2011-02-02' },
  { age: 7391482, city: 'Bonn', vip: false, born: '2012-01-01' },
  { age: null, city: 'Graz', vip: 'true', born: '2013-01-01', more: 1 },
];

const sheetWords = [
  ...words,
  ...['<', '>', '/>', '<!--', '-->', '<![CDATA[', ']]>', '&#x41;', '&#1114112;', '&amp;', '_x0041_', "'"],
  ...['<x:row r="1048577">', '<x:c r="ZZZZZZZ1">', '<x:c r="7">', 't="s"', 't="b"', 't="e"', 's="1"', 's="99"'],
  ...['</x:row>', '</x:c>', '<x:v>', '</x:v>', '<t>', '<rPh>', '-1', '1e308', 'NaN', '43831.75', '2958466'],
];

/** Lines of CSV as the sheet of a workbook: the first row by shared texts, dates by their numbers and a style, the rest inline. */
const sheet = (lines: readonly string[]): Buffer => {
  const [header, ...others] = lines.map((line) => line.split(','));
  const cell = (value: string, column: number): string => {
    const days = (Date.parse(value) - Date.parse('1899-12-30')) / 86_400_000;
    if (column === 3) return `<c s="1"><v>${days}</v></c>`;
    if (column === 2) return `<c t="b"><v>${value === 'true' ? 1 : 0}</v></c>`;
    return column === 0 ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  };
  const xml = [
    `<row r="1">${header.map((_, i) => `<c r="${'ABCD'[i]}1" t="s"><v>${i}</v></c>`).join('')}</row>`,
    ...others.map((values) => `<row>${values.map(cell).join('')}</row>`),
  ];
  return workbookOf(xml.join(''), { texts: header });
};

/** Private tables, read as a release reads them; and the header of a CSV file, which is read by our own code. */
export const tableTargets: readonly Target[] = [
  {
    name: 'csv-header',
    run: async (bytes) => (await csvHeader(await tableFile(scratchFile('table.csv', bytes)))).names.join('|'),
    mutate: mixed([2, mutateText(words)], [1, mutateBytes]),
    seeds: async () => [encoded(rows), encoded('"a ""b"", c",d\r\n1,2\r\n')],
    share: 0.5,
  },
  {
    name: 'csv',
    run: open('table.csv'),
    mutate: mixed([3, mutateText(words)], [1, mutateBytes]),
    seeds: async () => [encoded(rows), encoded(rows.replaceAll('\n', '\r\n')), encoded('age,city,vip,born\n')],
    secrets,
  },
  {
    name: 'json-lines',
    run: open('table.jsonl'),
    mutate: mixed(
      [3, mutateLines(['Qzxvillage', 'age', 'city', 'vip', 'born'])],
      [1, mutateText(words)],
      [1, mutateBytes],
    ),
    seeds: async () => [encoded(objects.map((object) => JSON.stringify(object)).join('\n'))],
    secrets,
  },
  {
    name: 'workbook',
    run: open('table.xlsx'),
    mutate: mixed([4, mutateWorkbook(sheetWords)], [1, mutateBytes]),
    seeds: async () =>
      [sheet(rows.split('\n').slice(0, 3)), sheet(rows.trimEnd().split('\n'))].map((own) => new Uint8Array(own)),
    secrets,
  },
];
