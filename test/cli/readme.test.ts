import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { folderWith, surmise } from '../support/surmise.js';

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');

/** The words of a command line: quoted, or without spaces, up to a comment. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ +#.*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);

it('has a tour whose commands work as they stand, on what the demo writes', { timeout: 300_000 }, async () => {
  const tour = readme.split('\n').filter((line) => line.startsWith('    npx surmise '));
  expect(tour.length).toBeGreaterThanOrEqual(5);
  const folder = await folderWith({});
  expect(await surmise(folder, 'demo', '--rows', '2000')).toMatchObject({ code: 0 });
  const demo = path.join(folder, 'surmise-demo');
  for (const line of tour) {
    const { code, err } = await surmise(demo, ...wordsOf(line).slice(2));
    expect({ line, code, err }).toMatchObject({ line, code: 0 });
  }
});

it('names only documents that exist', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target);
  expect(links.length).toBeGreaterThan(10);
  for (const target of links) readFileSync(path.resolve(import.meta.dirname, '../..', target));
});
