import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBundle } from '../../adapters/bundle-directory.js';
import { people, peopleSchema as schema } from '../support/people.js';
import { folderWith, surmise } from '../support/surmise.js';

const tables = { 'public.csv': people(400, 0), 's.json': schema };
const basics = ['--public', 'public.csv', '--schema', 's.json', '--epsilon', '1'];

describe('surmise release --dry-run', () => {
  it('shows mechanism, noise, error, time and memory without a private table, and leaves no file', async () => {
    const folder = await folderWith(tables);
    // The private table does not even exist: nothing could be read from it.
    const { code, out, err } = await surmise(folder, 'release', 'private.csv', ...basics, '--dry-run');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Dry run: the private table was not opened, no ledger was touched, nothing was spent\./);
    expect(out).toMatch(/mechanism {2}reweight, because the public table has 400 rows, which use \d+% of the cells/);
    for (const pair of ['centred colour x centred vip', 'centred colour x centred city', 'centred vip x centred city'])
      expect(out).toMatch(new RegExp(`measure ${pair} +\\d+ +1 +gaussian [\\d.]+ +[\\d.,]+ +[\\d.,]+\n`));
    expect(out).toMatch(
      /Forecast for this machine when it does nothing else, should the private table have 400 \(nobody said: --expect-rows N does, where the number is public\): about \d+ s.* and \d+ MB, on 2 threads\./,
    );
    const told = await surmise(folder, 'release', 'private.csv', ...basics, '--dry-run', '--expect-rows', '500');
    expect(told.out).toMatch(/Forecast for this machine when it does nothing else: about \d+ s/);
    expect(out).not.toContain('drowns');
    expect((await readdir(folder)).sort()).toEqual(Object.keys(tables).sort());
  });

  it('foretells the noise of the release that is then made, and prints shares of the expected rows as JSON', async () => {
    const folder = await folderWith({ ...tables, 'private.csv': people(500, 2) });
    const planned = await surmise(folder, 'release', ...basics, '--dry-run', '--expect-rows', '500', '--json');
    expect(planned).toMatchObject({ code: 0, err: '' });
    const plan = JSON.parse(planned.out);
    expect(plan).toMatchObject({ dryRun: true, expectedRows: 500, budget: { epsilon: '1', delta: '1e-9' } });
    expect(plan.mechanism.why).toMatch(/^reweight, because /);
    for (const { misplaced, share } of plan.steps) expect(share).toBe(misplaced / 500);
    for (const { share } of plan.steps) expect(share).toBeLessThanOrEqual(1);
    expect(plan.forecast).toMatchObject({ threads: 2, seconds: plan.seconds, memory: plan.memory });
    const made = await surmise(folder, 'release', 'private.csv', ...basics, '-o', 'out');
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain(`Released with ${plan.mechanism.why}`);
    const { manifest } = await readBundle(path.join(folder, 'out'));
    // The release goes by a noisy number of records, so its noise is near the plan's and not the same.
    type Step = (typeof manifest.measurements)[number];
    const steps: readonly Step[] = plan.steps;
    expect(steps.map(({ query }) => query)).toEqual(manifest.measurements.map(({ query }) => query));
    for (const [i, { noise }] of manifest.measurements.entries()) {
      expect(noise.kind).toBe(steps[i].noise.kind);
      expect(noise.scale / steps[i].noise.scale).toBeGreaterThan(0.7);
      expect(noise.scale / steps[i].noise.scale).toBeLessThan(1.4);
    }
    expect(manifest.configuration).toEqual({
      outside: 'declared',
      public: 'public.csv',
      epsilon: '1',
      delta: '1e-9',
      relation: 'add-remove',
      mechanism: 'reweight',
      why: plan.mechanism.why,
      set: plan.mechanism.settings,
      format: 'csv',
    });
  });

  it('says plainly that noise drowns the answers, and never tells of more than all records', async () => {
    const folder = await folderWith(tables);
    const words = ['release', '--public', 'public.csv', '--schema', 's.json', '--epsilon', '0.001', '--dry-run'];
    const { out } = await surmise(folder, ...words, '--expect-rows', '50');
    expect(out).toMatch(
      /The noise drowns what is measured: in all 3 measured marginals .* To change that: .*, or allow a larger epsilon\./,
    );
    for (const [, percent] of out.matchAll(/([\d.]+)%/g)) expect(Number(percent)).toBeLessThanOrEqual(100);
    expect(out).toMatch(/has 50 records in the wrong cell, on average over 3 \(100\.?0?% of 50\)/);
  });

  it('makes a release fit its memory, and says in bundle, report and verify what was given up', async () => {
    const folder = await folderWith({ ...tables, 'private.csv': people(500, 2) });
    const planned = await surmise(folder, 'release', ...basics, '--dry-run', '--json');
    const { memory } = JSON.parse(planned.out);
    const limit = ['--memory', `${memory - 1}b`];
    const shrunk = JSON.parse((await surmise(folder, 'release', ...basics, ...limit, '--dry-run', '--json')).out);
    const lost = '4 bootstrap replicates in place of 8: bounds of answers are rougher';
    expect(shrunk).toMatchObject({ replicates: 4, gaveUp: [lost] });
    expect(shrunk.memory).toBeLessThan(memory);
    const made = await surmise(folder, 'release', 'private.csv', ...basics, ...limit, '-o', 'out');
    expect(made.code).toBe(0);
    expect(made.err).toMatch(/^Forecast for this machine/);
    expect(made.out).toContain(`Given up to stay within the limits: ${lost}.`);
    const { manifest, replicates } = await readBundle(path.join(folder, 'out'));
    expect(manifest.configuration?.limits).toEqual({ bytes: memory - 1, gaveUp: [lost] });
    expect(replicates?.models.length).toBe(4);
    expect(await readFile(path.join(folder, 'out', 'report.html'), 'utf8')).toContain(
      `by forecast it was made with less: ${lost}.`,
    );
    const verified = await surmise(folder, 'verify', 'out');
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.out).toContain(`Given up to stay within limits: ${lost}.`);
  });

  it('rehearses on halves of the public table, and says what came out', async () => {
    const folder = await folderWith(tables);
    const { code, out, err } = await surmise(folder, 'release', ...basics, '--dry-run', '--rehearse', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { rehearsal } = JSON.parse(out);
    expect(rehearsal).toMatchObject({ rows: 400, pairs: 3, error: { runs: 1 } });
    expect(rehearsal.error.mean).toBeGreaterThan(0);
    expect((await readdir(folder)).sort()).toEqual(Object.keys(tables).sort());
  });

  it.each([
    [
      'a time that is none',
      ['p.csv', ...basics, '-o', 'o', '--time', 'soon'],
      /option --time: must be a time such as 90s, 5m or 2h, got "soon"/,
    ],
    [
      'less memory than any run takes',
      [...basics, '--dry-run', '--memory', '1M'],
      /memory: must allow what reweight takes .* MiB by its forecast, got 977 KiB; allow more/,
    ],
    [
      'a rehearsal without a public table',
      ['--schema', 's.json', '--epsilon', '1', '--dry-run', '--rehearse'],
      /--rehearse: needs a public table/,
    ],
    [
      'a public table that is the private one',
      ['public.csv', ...basics, '--dry-run'],
      /must be public, got a table that is the private table itself/,
    ],
    [
      'a mechanism that cannot run',
      ['--schema', 's.json', '--epsilon', '1', '--dry-run', '--mechanism', 'ide'],
      /ide needs a public table/,
    ],
    ['no private table', [...basics, '-o', 'out'], /release: needs PRIVATE, got none/],
  ] as [string, string[], RegExp][])('refuses %s', async (_, words, says) => {
    const folder = await folderWith(tables);
    const { code, out, err } = await surmise(folder, 'release', ...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    expect((await readdir(folder)).sort()).toEqual(Object.keys(tables).sort());
  });
});

describe('a configuration file', () => {
  const configuration = { public: 'public.csv', schema: 's.json', epsilon: 1, delta: 1e-9, set: { maxCells: 7 } };
  const planOf = async (folder: string, ...words: string[]) => {
    const { code, out, err } = await surmise(folder, 'release', '--dry-run', '--json', ...words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  };

  it('stands for options, which win over it when they are typed', async () => {
    const folder = await folderWith({ ...tables, 'surmise.config.json': JSON.stringify(configuration) });
    const plan = await planOf(folder);
    expect(plan).toMatchObject({
      budget: { epsilon: '1' },
      mechanism: { name: 'reweight', settings: { maxCells: 7 } },
    });
    expect(plan.notes).toEqual(['Options from surmise.config.json.']);
    const typed = await planOf(folder, '--epsilon', '2', '--pure', '--set', 'iterations=9');
    expect(typed).toMatchObject({
      budget: { currency: 'pure', total: '2' },
      mechanism: { settings: { maxCells: 7, iterations: 9 } },
    });
    expect(typed.budget).not.toHaveProperty('delta');
    // What it sets is of its own mechanism, so another one does not get it.
    const other = await planOf(folder, '--mechanism', 'pmw-pub');
    expect(other.mechanism).toMatchObject({ name: 'pmw-pub', settings: { maxCells: 20000 } });
  });

  it('names files relative to itself', async () => {
    const folder = await folderWith(tables);
    await writeFile(path.join(folder, 'c.json'), JSON.stringify(configuration));
    const elsewhere = await folderWith({});
    expect(await planOf(elsewhere, '--config', path.join(folder, 'c.json'))).toMatchObject({ publicRows: 400 });
  });

  it('is refused with an unknown key, and told the nearest one', async () => {
    const body = JSON.stringify({ ...configuration, mechanisms: 'auto' });
    const folder = await folderWith({ ...tables, 'surmise.config.json': body });
    const { code, out, err } = await surmise(folder, 'release', '--dry-run');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('surmise: surmise.config.json: unknown key "mechanisms"; did you mean "mechanism"?\n');
  });
});
