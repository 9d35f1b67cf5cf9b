import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, surmise } from '../support/surmise.js';

/** People of three places in two years, who differ by place. */
const people = (rows: number, shift: number): string =>
  `place,year,colour,vip\n${Array.from({ length: rows }, (_, i) => {
    const place = i % 3;
    return `${'abc'[place]},${2020 + (i % 2)},${['red', 'green', 'blue'][(place + (i % 5 < shift ? 1 : 0)) % 3]},${i % 7 < 3 + place}`;
  }).join('\n')}\n`;

const schema = JSON.stringify({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'place', type: 'category', values: ['a', 'b', 'c'] },
    { name: 'year', type: 'integer', min: 2020, max: 2021 },
    { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
    { name: 'vip', type: 'boolean' },
  ],
});
const tables = { 'public.csv': people(600, 0), 'private.csv': people(900, 3), 's.json': schema };
const basics = ['--public', 'public.csv', '--schema', 's.json', '--epsilon', '5'];
const grouped = ['--mechanism', 'grouped', '--set', 'keys=place,year', '--set', 'region=place'];

describe('surmise release --mechanism grouped', () => {
  it('plans, releases, verifies, answers, reports and is made again, group by group', async () => {
    const folder = await folderWith(tables);
    const dry = await surmise(folder, 'release', ...basics, ...grouped, '--dry-run', '--json');
    expect(dry).toMatchObject({ code: 0, err: '' });
    const { steps, remarks } = JSON.parse(dry.out);
    expect(steps[0]).toMatchObject({ act: 'measure', what: 'number of records by place', answers: 3 });
    expect(remarks.join()).toMatch(/6 groups in 3 regions/);

    const words = ['private.csv', ...basics, ...grouped, '-o', 'out', '--json'];
    const made = await surmise(folder, 'release', ...words);
    expect(made).toMatchObject({ code: 0, err: '' });
    const { mechanism, measurements } = JSON.parse(made.out);
    expect(mechanism).toMatchObject({ name: 'grouped', options: { keys: 'place,year' }, notes: { groups: 6 } });
    // What was planned is what was measured.
    expect(measurements).toBe(steps.length);

    const verified = await surmise(folder, 'verify', 'out', '--ledger', 'private.csv.ledger.jsonl');
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(verified.out).toMatch(/^out: whole\n/);
    const sql = 'SELECT place, year, COUNT(*) FROM data GROUP BY place, year';
    const asked = await surmise(folder, 'query', 'out', sql, '--json');
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(asked.out).answers[0].rows).toHaveLength(6);
    expect(await readFile(path.join(folder, 'out/report.html'), 'utf8')).toMatch(/id="groups"/);

    const again = ['private.csv', '--config', 'out', '--epsilon', '1', '--ledger', 'more.jsonl', '--another-ledger'];
    expect((await surmise(folder, 'ledger', 'init', 'more.jsonl', '--epsilon', '2', '--delta', '1e-9')).code).toBe(0);
    const second = await surmise(folder, 'release', ...again, '-o', 'again', '--json');
    expect(second).toMatchObject({ code: 0 });
    expect(JSON.parse(second.out).mechanism.options).toEqual(mechanism.options);
  });

  it('is compared when it is named and told its keys, and is not chosen or compared by itself', async () => {
    const folder = await folderWith(tables);
    const words = ['compare', 'private.csv', '--public', 'public.csv', '--schema', 's.json', '--epsilon', '5'];
    const named = await surmise(
      folder,
      ...words,
      '--runs',
      '1',
      '--mechanisms',
      'grouped',
      ...grouped.slice(2),
      '--json',
    );
    expect(named).toMatchObject({ code: 0, err: '' });
    const { contestants, asIs } = JSON.parse(named.out);
    expect(contestants[0]).toMatchObject({ mechanism: 'grouped' });
    expect(contestants[0].error.mean).toBeLessThan(asIs.error.mean);

    const dry = await surmise(folder, 'release', ...basics, '--dry-run', '--json');
    const { mechanism, ranked } = JSON.parse(dry.out);
    expect(mechanism.name).toBe('reweight');
    expect(ranked.find(({ name }: { name: string }) => name === 'grouped')).toMatchObject({
      able: false,
      why: 'it must be told the attributes that make its groups, as its keys',
    });
  });

  it.each([
    ['no keys', [], /must be told the attributes that make its groups, as its keys/],
    ['keys that are none', ['--set', 'keys=place,yaer'], /yaer/],
    ['all attributes as keys', ['--set', 'keys=place,year,colour,vip'], /leave others to measure/],
    ['a region that is no key', ['--set', 'keys=place,year', '--set', 'region=vip'], /regions: must be made of/],
    [
      'another estimator',
      ['--set', 'keys=place', '--set', 'estimator=magic'],
      /estimator: must be one of reweight, ide/,
    ],
    ['a workload', ['--set', 'keys=place', '--workload', 'all-2way'], /chooses what to measure from the public table/],
  ])('refuses %s before anything is spent', async (_, words, says) => {
    const folder = await folderWith(tables);
    const common = ['private.csv', ...basics, '--mechanism', 'grouped', ...words];
    const { code, out, err } = await surmise(folder, 'release', ...common, '-o', 'out');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    const ledger = await surmise(folder, 'ledger', 'show', 'private.csv.ledger.jsonl');
    expect(ledger.code).not.toBe(0);
  });
});
