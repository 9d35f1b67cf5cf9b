import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openBundle } from '../../src/bundle/open-bundle.js';
import { factored } from '../../src/query/query.js';
import { smallRelease } from '../support/small-release.js';
import { folderWith, main, start, surmise } from '../support/surmise.js';

const release = async () => {
  const { files } = await smallRelease();
  return { folder: await folderWith(files), ...openBundle(files) };
};

it('answers from the model of a release, with bounds where the noise tells them', async () => {
  const { folder, model } = await release();
  const sql = 'SELECT b, COUNT(*) AS n, AVG(a) FROM data WHERE a >= 1 GROUP BY b';
  const { code, out, err } = await surmise(folder, 'query', '.', sql, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { level, answers } = JSON.parse(out);
  expect(level).toBe(0.95);
  const right = model.answer(factored({ b: { kind: 'keep' }, a: { kind: 'set', cells: [1, 2] } }));
  expect(answers).toHaveLength(1);
  expect(answers[0].columns.map(({ title }: { title: string }) => title)).toEqual(['b', 'n', 'AVG(a)']);
  answers[0].rows.forEach(({ values, low, high }: Record<string, number[]>, i: number) => {
    expect(values.slice(0, 2)).toEqual([['no', 'yes'][i], expect.closeTo(right[i], 9)]);
    expect(low[1]).toBeLessThanOrEqual(values[1]);
    expect(high[1]).toBeGreaterThan(values[1]);
    expect(low[2]).toBeNull();
  });
});

it('prints a table for people and CSV for programs', async () => {
  const { folder, model } = await release();
  const people = await surmise(folder, 'query', '.', 'SELECT b, SHARE() FROM data GROUP BY b ORDER BY 2 DESC');
  expect(people).toMatchObject({ code: 0, err: '' });
  expect(people.out).toMatch(/^b +SHARE\(\)\n(no|yes) +0\.\d+\n(no|yes) +0\.\d+\nWhere no 95% bound is shown/);
  const csv = await surmise(folder, 'query', '.', 'SELECT COUNT(*) AS "n, all" FROM data', '--csv');
  const [head, line] = csv.out.trimEnd().split('\n');
  expect(head).toBe('"n, all","n, all low","n, all high"');
  const [value, low, high] = line.split(',').map(Number);
  expect(value).toBeCloseTo(model.total, 9);
  expect(low).toBeLessThan(high);
});

it('tells medians and extremes, and says below the answer what it should be read with', async () => {
  const { folder } = await release();
  const sql =
    "SELECT CASE WHEN b LIKE 'y%' THEN 'y' ELSE 'n' END AS kind, MEDIAN(a), MAX(a) FROM data WHERE a < 99 GROUP BY kind";
  const people = await surmise(folder, 'query', '.', sql);
  expect(people).toMatchObject({ code: 0, err: '' });
  expect(people.out).toMatch(/^kind +MEDIAN\(a\) +MAX\(a\)\nn +[\d.]+ +(\d|null)\ny +[\d.]+ +(\d|null)\n/);
  expect(people.out).toMatch(
    /Note: "a" goes from 0 to 2 in the schema of the release, and < 99 reaches beyond: .*\.\n/,
  );
  expect(people.out).toMatch(/Note: MAX is the model's: .*\.\n/);
  const program = JSON.parse((await surmise(folder, 'query', '.', sql, '--json')).out);
  expect(program.answers[0].remarks).toHaveLength(2);
  const csv = await surmise(folder, 'query', '.', 'SELECT COUNT(*) n FROM data WHERE a = 7', '--csv');
  expect(csv.out).toMatch(/^n,n low,n high\n0,/);
  expect(csv.err).toMatch(/^Note: "a" goes from 0 to 2 .* = 7 lies beyond: [^\n]*\.\n$/);
});

it('reads statements from a pipe', async () => {
  const { folder } = await release();
  const child = spawn(process.execPath, [main, 'query', '.', '--csv'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end("SELECT COUNT(*) n FROM data; -- all\nSELECT SHARE() s FROM data\nWHERE b = 'yes';\n");
  const out = await text(child.stdout);
  expect(out).toMatch(/^n,n low,n high\n[\d.]+,[\d.]+,[\d.]+\n\ns,s low,s high\n0\.\d+,,\n$/);
});

it.each([
  [['query', '.', 'SELECT q FROM data'], /SQL 1:8: must be an attribute of the release, got "q"; it has a, b, c/],
  [['query', '.', 'SELECT COUNT(*)\nFRM data'], /SQL 2:5: must be SQL that can be read.*did you mean FROM\?/],
  [
    ['query', '.', "SELECT COUNT(*) FROM data WHERE b = 'yess'"],
    /"b" has no such value, got 'yess'; did you mean yes\?/,
  ],
  [['query', '.', 'SELECT COUNT(DISTINCT a) FROM data'], /COUNT\(DISTINCT ...\) has no answer: a model knows/],
  [['query', '.'], /needs a statement, got none/],
  [['query', 'nowhere', 'SELECT COUNT(*) FROM data'], /nowhere: must be the directory of a release/],
  [['query', '.', 'SELECT COUNT(*) FROM data', '--csv', '--json'], /got both/],
])('refuses %j in one sentence, with exit code 2', async (words, sentence) => {
  const { folder } = await release();
  // A process, since a statement that is not given is looked for on its standard input.
  const { code, out, err } = await start(folder, ...words).outcome;
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(sentence);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});
