import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readColumns } from '../table/read-columns.js';
import { csvParts } from './csv-parts.js';

const folder = mkdtempSync(path.join(tmpdir(), 'surmise-csv-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const form = { shown: 'own.csv', delimiter: ',', quote: '"' };

async function* inPieces(text: string, ...cuts: readonly number[]): AsyncGenerator<string> {
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    yield text.slice(from, cut);
    from = cut;
  }
}

const read = async (text: string, ...cuts: readonly number[]): Promise<Record<string, unknown[]>> => {
  const columns: Record<string, unknown[]> = {};
  for await (const part of csvParts(inPieces(text, ...cuts), form))
    part.names.forEach((name, i) => {
      columns[name] = [...(columns[name] ?? []), ...part.columns[i]];
    });
  return columns;
};

/** The same by DuckDB, as the command line reads it. */
const byDuckDB = async (text: string): Promise<Record<string, unknown[]>> => {
  const file = path.join(folder, 'own.csv');
  writeFileSync(file, text);
  const columns: Record<string, unknown[]> = {};
  for await (const part of readColumns(file))
    for (const [name, values] of Object.entries(part))
      columns[name] = [...(columns[name] ?? []), ...Array.from(values)];
  return columns;
};

const sound = {
  plain: 'a,b\n1,2\n3,4\n',
  'no last line end': 'a,b\n1,2\n3,4',
  CRLF: 'a,b\r\n1,2\r\n3,4\r\n',
  'quotes, delimiters and line ends in quotes': 'a,b\n"x, y","say ""so"""\n"two\nlines",\n',
  'CRLF in quotes': 'a,b\r\n"two\r\nlines",1\r\n',
  'empty fields': 'a,b\n,\n"",x\n',
  semicolons: 'a;b\n1,5;2\n',
  tabs: 'a\tb\n1\t2\n',
  'quoted names': '"a, first","b"\n1,2\n',
  'one column': 'a\n1\n2\n',
  spaces: 'a,b\n 1 , 2 \n',
  'beyond ASCII': 'a,b\nZürich,東京\n',
  'a blank line between': 'a,b\n1,2\n\n3,4\n',
} as const;

describe('CSV in a page', () => {
  it.each(Object.entries(sound))('reads %s as the command line does', async (_, text) => {
    expect(await read(text)).toEqual(await byDuckDB(text));
  });

  it('reads the same whatever the parts are in which it comes', async () => {
    for (const text of Object.values(sound)) {
      const whole = await read(text);
      for (let cut = 0; cut <= text.length; cut++)
        expect(await read(text, cut), `${text} cut at ${cut}`).toEqual(whole);
    }
  });

  it('reads back any table that is quoted as RFC 4180 says', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'ü', ';') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, field), { minLength: 1 }), fc.nat(200), async (rows, cut) => {
        const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const text = `a,b\n${rows.map((row) => row.map(quoted).join(',')).join('\n')}\n`;
        expect(await read(text, Math.min(cut, text.length))).toEqual({
          a: rows.map(([a]) => a),
          b: rows.map(([, b]) => b),
        });
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['', /^own\.csv: must have at least a header, got an empty file$/],
    ['a,a\n', /column names must differ/],
    ['a,\n', /every column must have a name, got none for column 2/],
    ['"a,b\n', /a quote in the header must be closed/],
    ['a,b\n1\n', /^own\.csv: row 1: must have 2 fields, as the header has, got fewer/],
    ['a,b\n1,2\n1,2,3\n', /row 2: must have 2 fields, as the header has, got more/],
    ['a,b\n"1,2\n', /row 1: a quote must be closed/],
    ['a,b\n"1"x,2\n', /row 1: a quoted field must end where its quote closes/],
  ])('refuses %j with the row and nothing of it', async (text, rule) => {
    await expect(read(text)).rejects.toThrow(rule);
  });

  it('tells the names first, before any row was looked at', async () => {
    const parts = csvParts(inPieces('a,b\n"never closed'), form);
    expect((await parts.next()).value).toEqual({ names: ['a', 'b'], columns: [[], []] });
    await parts.return(undefined);
  });
});
