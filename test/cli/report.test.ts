import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, surmise } from '../support/surmise.js';

const people = (rows: number, shift: number): string =>
  `age,colour,city\n${Array.from({ length: rows }, (_, i) =>
    [18 + ((i * 37 + shift) % 50), ['red', 'green', 'blue'][(i * i + shift) % 3], `city ${(i * 7) % 4}`].join(','),
  ).join('\n')}\n`;

const tables = { 'public.csv': people(300, 0), 'private.csv': people(400, 1) };

describe('surmise report', () => {
  it('remakes, byte for byte, the report that a release has in it and that verify guards', async () => {
    const folder = await folderWith(tables);
    const made = await surmise(
      folder,
      'release',
      'private.csv',
      '--public',
      'public.csv',
      '--epsilon',
      '2',
      '-o',
      'out',
    );
    expect(made).toMatchObject({ code: 0 });
    expect(made.out).toContain(path.join('out', 'report.html'));
    const inside = await readFile(path.join(folder, 'out', 'report.html'), 'utf8');
    expect(inside).toMatch(/^<!doctype html>/);

    const again = await surmise(folder, 'report', 'out', '--public', 'public.csv');
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(await readFile(path.join(folder, 'out-report.html'), 'utf8')).toBe(inside);
    expect(await surmise(folder, 'verify', 'out')).toMatchObject({ code: 0 });

    const alone = await surmise(folder, 'report', 'out', '-o', 'alone.html', '--json');
    const { report, bytes } = JSON.parse(alone.out);
    expect(report).toBe('alone.html');
    const without = await readFile(path.join(folder, 'alone.html'));
    expect(without.length).toBe(bytes);
    expect(without.toString()).not.toContain('Where it differs from the public table');

    for (const [words, rule] of [
      [['report', 'out', '-o', 'alone.html'], /must not exist yet/],
      [['report', 'out', '-o', path.join('out', 'other.html')], /must not be in the release/],
      [['report', 'nowhere'], /must be the directory of a release/],
    ] as const) {
      const refused = await surmise(folder, ...words);
      expect(refused.code).toBe(2);
      expect(refused.err).toMatch(rule);
    }
    await writeFile(path.join(folder, 'out', 'report.html'), inside.replace('95%', '99%'));
    const verdict = await surmise(folder, 'verify', 'out');
    expect(verdict.code).toBe(1);
    expect(verdict.out).toContain('report.html: must have SHA-256');
  });
});
