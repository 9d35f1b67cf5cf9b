import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { openBundle } from '../../src/bundle/open-bundle.js';
import { fakeIo } from '../../test/support/fake-io.js';
import { smallRelease } from '../../test/support/small-release.js';
import { queryPrompt } from './query-prompt.js';

/** What the prompt says when these lines are typed. */
const session = async (...typed: string[]): Promise<{ out: string; err: string }> => {
  const { files } = await smallRelease();
  const { io, said } = fakeIo({ isTerminal: true, unicode: false });
  const input = new PassThrough();
  const output = new PassThrough();
  output.resume();
  const bundle = openBundle(files);
  const done = queryPrompt({ ...bundle, schema: bundle.manifest.schema }, {}, io, { input, output });
  input.end(typed.map((line) => `${line}\n`).join(''));
  await done;
  return said;
};

it('answers statements of several lines, goes on after a mistake, and leaves on .quit', async () => {
  const { out, err } = await session(
    'SELECT b,',
    'COUNT(*) FROM data',
    'GROUP BY b;',
    'SELEC 1;',
    'SELECT SHARE() FROM data',
    '',
    '.quit',
    'SELECT a;',
  );
  expect(out).toMatch(/b +COUNT\(\*\) +95%\nno .*\nyes /);
  expect(out).toMatch(/SHARE\(\)\n *1\n/);
  expect(err).toMatch(/^SQL 1:1: must be SQL that can be read, got "SELEC"; did you mean SELECT\?\n$/);
});

it('shows the attributes, and tells what can be typed', async () => {
  const { out } = await session('.schema', '.help', '.unknown');
  expect(out).toMatch(/a +integer +3 +0 to 2/);
  expect(out.match(/\.quit {5}leave/g)).toHaveLength(2);
});
