import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileLedger } from '../../adapters/ledger/file-ledger.js';
import { oneAct } from '../../experiments/audit/one-act.js';
import { parseAmount } from '../../src/privacy/accounting/amount.js';
import { rational } from '../../src/privacy/rational.js';
import { fakeIo } from '../../test/support/fake-io.js';
import { run } from '../run.js';

const surmise = async (...words: string[]) => {
  const { io, said } = fakeIo({ unicode: false });
  return { code: await run(words, io), ...said };
};

let directory: string;
let file: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'surmise-cli-ledger-'));
  file = path.join(directory, 'survey.ledger');
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('a budget is shown with its rho and the noise it buys under both relations', async () => {
  const { code, out } = await surmise('budget', '--epsilon', '1', '--delta', '1e-9');
  expect(code).toBe(0);
  expect(out).toContain('rho 0.01497305767');
  // sqrt(1 / (2 rho)) and sqrt(2 / (2 rho)); ten times that when 100 marginals share it.
  expect(out).toMatch(/1 marginal +5\.779 +8\.172/);
  expect(out).toMatch(/each of 100 marginals +57\.79 +81\.72/);
});

test('a pure budget buys Laplace noise', async () => {
  const { noise } = JSON.parse((await surmise('budget', '--epsilon', '0.5', '--pure', '--json')).out);
  expect(noise.map((one: { kind: string; scale: string }) => [one.kind, one.scale])).toEqual([
    ['laplace', '2/1'],
    ['laplace', '4/1'],
    ['laplace', '200/1'],
    ['laplace', '400/1'],
  ]);
});

test.each([
  [['budget']],
  [['budget', '--epsilon', '1', '--rho', '1']],
  [['budget', '--epsilon=-1']],
  [['budget', '--epsilon', 'NaN']],
  [['budget', '--epsilon', '1', '--delta', '1']],
  [['ledger', 'init', '/nowhere/at/all', '--epsilon', '1']],
  [['ledger', 'init', '/nowhere/x', '--epsilon', '1', '--relation', 'both']],
  [['ledger', 'init', '/nowhere/at/all', '--epsilon', '1', '--dataset', 'x']],
  [['ledger', 'show', '/nowhere/at/all']],
  [['ledger', 'verify', '/nowhere/at/all']],
  [['ledger', 'burn', '/nowhere/at/all']],
  [['ledger', 'show', '/nowhere/at/all', '--epsilon', '1']],
  [['ledger', 'show', '/nowhere/at/all', '--reason', 'x']],
  [['ledger', 'raise', '/nowhere/at/all', '--epsilon', '1', '--reason', 'x']],
  [['ledger', 'raise', '/nowhere/at/all', '--epsilon', '1', '--relation', 'replace-one', '--reason', 'x']],
  [['budget', '--rho', '1', '--pure']],
  [['budget', '--epsilon', '1', '--pure', '--delta', '1e-9']],
])('bad input is one sentence and exit code 2: %j', async (words) => {
  const { code, out, err } = await surmise(...words);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^surmise: [^\n]+\n$/);
});

test('a ledger is made, used, shown and verified', async () => {
  const made = await surmise('ledger', 'init', file, '--dataset', 'survey', '--rho', '1', '--delta', '1e-9');
  expect([made.code, made.err]).toEqual([0, '']);
  expect(made.out).toMatch(/remaining {2}rho 1 \(epsilon 9\.\d+ at delta 1e-9\)\n/);

  const ledger = await fileLedger(file, { dataset: 'survey' });
  const reservation = await oneAct(ledger, { amount: parseAmount('0.25'), what: 'measure 3 marginals' });
  await reservation.commit([{ kind: 'gaussian', sensitivitySquared: rational(3), sigmaSquared: rational(15) }]);
  const release = '0'.repeat(32);
  const run = await ledger.run({ amount: parseAmount('0.6'), what: 'a release', release, seeded: false });
  await run.reserve({ amount: parseAmount('0.5'), what: 'crashed' });

  const shown = await surmise('ledger', 'show', file);
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/2 .* 0\.25 +0\.1 +committed +measure 3 marginals/);
  expect(shown.out).toMatch(/6 .* 0\.5 +0\.5 +not committed +crashed/);
  expect(shown.out).toMatch(/of which +rho 0\.6 reserved and not committed/);
  const json = JSON.parse((await surmise('ledger', 'show', file, '--json')).out);
  expect(json).toMatchObject({ dataset: 'survey', total: '1', spent: '0.7', reserved: '0.6', remaining: '0.3' });
  expect(json).toMatchObject({ relation: 'add-remove', unit: { kind: 'row' }, runs: [{ run: 5, left: '0.1' }] });
  expect(json.reservations).toHaveLength(2);

  const verified = await surmise('ledger', 'verify', file);
  expect([verified.code, verified.err]).toEqual([0, '']);
  expect(verified.out).toContain(': sound');
  expect(JSON.parse((await surmise('ledger', 'verify', file, '--json')).out)).toMatchObject({
    sound: true,
    records: 7,
  });

  // The act may have read something; what no act had reserved goes back, and a run that is still alive can begin nothing.
  expect((await surmise('ledger', 'end', file, '5')).out).toMatch(
    /run 5 has ended\n[\s\S]*remaining {2}rho 0\.4 \(epsilon [\d.]+ at delta 1e-9\)\n/,
  );
  await expect(run.reserve({ amount: parseAmount('0.1'), what: 'late' })).rejects.toThrow(/has ended/);
  expect((await surmise('ledger', 'end', file, '5')).code).toBe(2);
});

test('epsilon means to a ledger what it means to a release: delta 1e-9 unless told, pure where it is asked for', async () => {
  const made = async (...words: string[]) => {
    const at = path.join(directory, `${words.join('')}.ledger`);
    const { code, out, err } = await surmise('ledger', 'init', at, '--json', ...words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  };
  expect(await made('--epsilon', '1')).toMatchObject({ currency: 'zcdp', epsilon: '1', delta: '1e-9' });
  expect(await made('--epsilon', '1', '--pure')).toMatchObject({ currency: 'pure', total: '1' });
  expect(await made('--epsilon', '1', '--delta', '0')).toMatchObject({ currency: 'pure', total: '1' });
});

test('a total is raised with a reason that the ledger keeps, and never lowered', async () => {
  const at = path.join(directory, 'raised.ledger');
  await surmise('ledger', 'init', at, '--epsilon', '1');
  const raise = (...words: string[]) => surmise('ledger', 'raise', at, ...words);
  const before = await readFile(at);
  for (const [words, sentence] of [
    [['--epsilon', '2'], /option --reason: must say why the total is raised, got none; it is public, and kept/],
    [['--epsilon', '2', '--reason', ' '], /option --reason: must say why/],
    [
      ['--epsilon', '0.5', '--reason', 'x'],
      /can only be raised, got epsilon 0\.5 at delta 1e-9 \(rho [\d.]+\) where it is epsilon 1 at delta 1e-9 \(rho [\d.]+\); to spend less, ask for less/,
    ],
    [['--epsilon', '1', '--reason', 'x'], /can only be raised/],
    [
      ['--epsilon', '2', '--delta', '1e-6', '--reason', 'x'],
      /at delta 1e-9, got one at delta 1e-6; leave the delta out/,
    ],
    [['--epsilon', '2', '--pure', '--reason', 'x'], /counts rho, got a total in pure epsilon/],
    [['--reason', 'x'], /option --epsilon: must say/],
  ] as const) {
    const { code, out, err } = await raise(...words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(sentence);
  }
  expect(await readFile(at)).toEqual(before);

  const raised = await raise('--epsilon', '2', '--reason', 'a second wave, approved');
  expect([raised.code, raised.err]).toEqual([0, '']);
  expect(raised.out).toMatch(
    /raised from epsilon 1, delta 1e-9 to epsilon 2, delta 1e-9\n[\s\S]*budget +epsilon 2, delta 1e-9/,
  );
  expect((await raise('--epsilon', '2.5', '--delta', '0.000000001', '--reason', 'y')).code).toBe(0);
  const program = JSON.parse((await raise('--rho', '1', '--reason', 'more', '--json')).out);
  expect(program).toMatchObject({ raised: { to: '1', why: 'more' }, total: '1', remaining: '1' });
  const shown = await surmise('ledger', 'show', at);
  expect(shown.out).toMatch(
    /raised +on \d{4}-\d\d-\d\d from epsilon 1, delta 1e-9 to epsilon 2, delta 1e-9: a second wave, approved\n/,
  );
  expect(JSON.parse((await surmise('ledger', 'show', at, '--json')).out).raises).toMatchObject([
    { seq: 1, epsilon: '2', why: 'a second wave, approved' },
    { seq: 2, epsilon: '2.5', why: 'y' },
    { seq: 3, to: '1', why: 'more' },
  ]);
  expect((await surmise('ledger', 'verify', at)).code).toBe(0);
  // The reason is sealed like everything else.
  await writeFile(at, (await readFile(at, 'utf8')).replace('approved', 'imagined'));
  expect((await surmise('ledger', 'verify', at)).code).toBe(1);
});

test('a pure ledger and one in rho are raised as they were opened', async () => {
  const pure = path.join(directory, 'pure.ledger');
  await surmise('ledger', 'init', pure, '--epsilon', '1', '--pure');
  expect(await surmise('ledger', 'raise', pure, '--epsilon', '2', '--reason', 'x')).toMatchObject({ code: 0, err: '' });
  expect((await surmise('ledger', 'raise', pure, '--rho', '2', '--reason', 'x')).err).toMatch(/counts pure epsilon/);
  const bare = path.join(directory, 'rho.ledger');
  await surmise('ledger', 'init', bare, '--rho', '0.1');
  expect((await surmise('ledger', 'raise', bare, '--epsilon', '2', '--reason', 'x')).err).toMatch(
    /state its total with --rho/,
  );
  expect(await surmise('ledger', 'raise', bare, '--rho', '0.2', '--reason', 'x')).toMatchObject({ code: 0, err: '' });
});

test('a changed ledger fails verification with exit code 1, and is not shown', async () => {
  const text = await readFile(file, 'utf8');
  const changed = path.join(directory, 'changed.ledger');
  await writeFile(changed, text.replace('measure 3', 'measure 2'));
  const verified = await surmise('ledger', 'verify', changed);
  expect(verified.code).toBe(1);
  expect(verified.out).toContain('DAMAGED at line 2');
  expect(JSON.parse((await surmise('ledger', 'verify', changed, '--json')).out)).toMatchObject({
    sound: false,
    damage: { line: 2 },
  });
  expect((await surmise('ledger', 'show', changed)).code).toBe(2);
  await writeFile(changed, text.replace('"total":"1"', '"total":"2"'));
  expect((await surmise('ledger', 'verify', changed)).code).toBe(1);
});

test('verification names torn lines', async () => {
  const torn = path.join(directory, 'torn.ledger');
  const text = await readFile(file, 'utf8');
  await writeFile(torn, `${text}\n{"seq":4,"ti`);
  const verified = await surmise('ledger', 'verify', torn);
  expect(verified.code).toBe(0);
  expect(verified.out).toContain(`1 torn (line ${text.split('\n').length + 1})`);
});

test.each(['budget', 'ledger'])('surmise %s --help has a usage and an example', async (name) => {
  const { code, out } = await surmise(name, '--help');
  expect(code).toBe(0);
  expect(out).toContain(`usage: surmise ${name}`);
  expect(out).toContain('example:');
});
