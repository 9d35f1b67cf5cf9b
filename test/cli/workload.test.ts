import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../adapters/bundle-directory.js';
import { people, peopleSchema as schema } from '../support/people.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

const queries = [
  { query: { kind: 'marginal', attributes: ['colour', 'vip'] }, weight: 4 },
  { query: { kind: 'marginal', attributes: ['city'] } },
];
const files = {
  'public.csv': people(400, 0),
  'private.csv': people(500, 2),
  's.json': schema,
  'w.json': JSON.stringify({ queries }),
};
const basics = ['--public', 'public.csv', '--schema', 's.json', '--epsilon', '1', '--mechanism', 'reweight'];
const release = ['release', 'private.csv', ...basics];

const planOf = async (folder: string, ...words: string[]) => {
  const { code, out } = await runHere(folder, ...release, '--dry-run', '--json', ...words);
  expect(code).toBe(0);
  return JSON.parse(out);
};
const asked = ({ steps }: { readonly steps: readonly { readonly what: string }[] }) => steps.map(({ what }) => what);

describe('--workload', () => {
  it('plans all pairs, all triples, or the queries of a file, the heavier with less noise', async () => {
    const folder = await folderWith(files);
    expect(asked(await planOf(folder, '--workload', 'all-2way'))).toEqual([
      'colour x vip',
      'colour x city',
      'vip x city',
    ]);
    expect(asked(await planOf(folder, '--workload', 'all-3way'))).toEqual(['colour x vip x city']);
    const plan = await planOf(folder, '--workload', 'w.json');
    expect(asked(plan)).toEqual(['colour x vip', 'city']);
    const [heavy, light] = plan.steps.map(({ noise }: { noise: { scale: number } }) => noise.scale);
    expect(heavy).toBeLessThan(light);
    expect((await readdir(folder)).sort()).toEqual(Object.keys(files).sort());
  });

  it('measures what was planned, says so in the bundle, and does so again when the release is made again', async () => {
    const folder = await folderWith(files);
    await runHere(folder, 'ledger', 'init', 'l.jsonl', '--epsilon', '3', '--delta', '1e-9');
    const made = await runHere(folder, ...release, '--workload', 'w.json', '--ledger', 'l.jsonl', '-o', 'out');
    expect(made).toMatchObject({ code: 0 });
    const { manifest } = await readBundle(path.join(folder, 'out'));
    const measured = manifest.measurements.map(({ query }) => query);
    expect(measured).toEqual(queries.map(({ query }) => query));
    expect(manifest.configuration?.workload).toEqual({ queries: queries.map((one) => ({ weight: 1, ...one })) });
    expect(await runHere(folder, 'verify', 'out', '--ledger', 'l.jsonl')).toMatchObject({ code: 0 });

    const again = ['release', 'private.csv', '--config', 'out', '--ledger', 'l.jsonl', '-o', 'again'];
    expect(await runHere(folder, ...again)).toMatchObject({ code: 0 });
    const second = await readBundle(path.join(folder, 'again'));
    expect(second.manifest.configuration?.workload).toEqual(manifest.configuration?.workload);
    // What is typed wins over what the release before it had.
    const other = ['--config', 'out', '--workload', 'all-3way', '--dry-run', '--json'];
    const { out } = await runHere(folder, 'release', 'private.csv', ...other);
    expect(asked(JSON.parse(out))).toEqual(['colour x vip x city']);
  });

  it('may stand in a configuration file, beside which its file is looked for', async () => {
    const folder = await folderWith({ ...files, 'c.json': JSON.stringify({ workload: 'w.json' }) });
    const elsewhere = await folderWith({ 'public.csv': files['public.csv'], 's.json': schema });
    const words = ['release', ...basics, '--dry-run', '--json', '--config', path.join(folder, 'c.json')];
    const { code, out } = await runHere(elsewhere, ...words);
    expect(code).toBe(0);
    expect(asked(JSON.parse(out))).toEqual(['colour x vip', 'city']);
  });

  it('lets mechanisms compete at a workload', async () => {
    const folder = await folderWith(files);
    const words = ['compare', 'private.csv', '--schema', 's.json', '--public', 'public.csv', '--epsilon', '2'];
    const few = ['--mechanisms', 'reweight,mwem', '--runs', '1', '--json'];
    const { code, out } = await runHere(folder, ...words, ...few, '--workload', 'w.json');
    expect(code).toBe(0);
    expect(JSON.parse(out).contestants).toHaveLength(2);
  });

  it.each([
    [
      'a file that is not there',
      'none.json',
      {},
      /^surmise: none\.json: must be all-2way, all-3way or a file of queries/,
    ],
    ['no JSON', 'x.json', { 'x.json': '{"queries": [' }, /^surmise: x\.json: must be JSON, and /],
    [
      'another form',
      'x.json',
      { 'x.json': '{"query": []}' },
      /^surmise: x\.json: unknown key "query"; the keys here are queries/,
    ],
    [
      'no queries',
      'x.json',
      { 'x.json': '{"queries": []}' },
      /^surmise: x\.json: queries must hold at least one query/,
    ],
    [
      'a weight of nothing',
      'x.json',
      { 'x.json': JSON.stringify({ queries: [{ ...queries[0], weight: 0 }] }) },
      /^surmise: x\.json: .*weight/,
    ],
    [
      'an attribute that the schema does not have',
      'x.json',
      { 'x.json': JSON.stringify({ queries: [{ query: { kind: 'marginal', attributes: ['color'] } }] }) },
      /^surmise: x\.json: .*"color"/,
    ],
    [
      'triples of two attributes',
      'all-3way',
      {
        's.json': JSON.stringify({
          surmise: 1,
          origin: { kind: 'declared' },
          attributes: [
            { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
            { name: 'vip', type: 'boolean' },
          ],
        }),
      },
      /^surmise: option --workload: all-3way needs 3 attributes, got a schema of 2/,
    ],
  ] as [string, string, Record<string, string>, RegExp][])(
    'refuses %s in one sentence, and spends nothing',
    async (_, named, others, says) => {
      const folder = await folderWith({ ...files, ...others });
      for (const mode of [['-o', 'out'], ['--dry-run']]) {
        const { code, out, err } = await runHere(folder, ...release, '--workload', named, ...mode);
        const told = err.replace(/^note: .*\n/gm, '');
        expect(told).toMatch(says);
        expect(told).toMatch(/^surmise: [^\n]+\n$/);
        expect({ code, out }).toEqual({ code: 2, out: '' });
        expect(existsSync(path.join(folder, 'out'))).toBe(false);
        expect(existsSync(path.join(folder, 'private.csv.ledger.jsonl'))).toBe(false);
      }
    },
  );
});
