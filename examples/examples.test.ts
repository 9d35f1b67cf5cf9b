import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';

/** Runs an example and collects what it prints. */
const linesOf = async (name: string): Promise<string[]> => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(`./${name}.ts`);
  return log.mock.calls.map((words) => words.join(' '));
};

afterEach(() => vi.restoreAllMocks());

/** What each example must print. */
const promises: Readonly<Record<string, (lines: string[]) => void>> = {
  'learn-schema': (lines) => {
    expect(lines[0]).toMatch(/^person_id: left out/);
    expect(lines[1]).toMatch(/age \(\d+\).*tenure \(5\)/);
    const counts = lines.slice(2).map((line) => /^(.+): (\d+) of (\d+)$/.exec(line)!);
    expect(counts.map(([, label]) => label)).toEqual([
      'mortgage',
      'owned outright',
      'private rent',
      'social rent',
      'other',
    ]);
    expect(counts.reduce((sum, [, , n]) => sum + Number(n), 0)).toBe(Number(counts[0][3]));
  },
  drift: (lines) => {
    const rows = lines.map((line) => /: ([\d.]+)% -> ([\d.]+)%$/.exec(line)!.slice(1).map(Number));
    expect(rows.length).toBe(4);
    for (const year of [0, 1]) expect(rows.reduce((sum, row) => sum + row[year], 0)).toBeCloseTo(100, 0);
    // Renting from a private owner spreads.
    expect(rows[2][1]).toBeGreaterThan(rows[2][0] + 2);
  },
  release: ([statement, tenure, rows]) => {
    expect(statement).toMatch(
      /^What was released from "orvania-2023" is \([\d.]+, 1e-9\)-differentially private, counted in gdp /,
    );
    const shares = [...tenure.matchAll(/(\d+)%/g)].map(([, share]) => Number(share));
    expect(shares.length).toBe(5);
    expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100)).toBeLessThanOrEqual(3);
    expect(rows).toBe('files: bundle.json, measurements.bin, model.bin, replicates.bin, report.html, synthetic.csv');
  },
  bundle: ([files, faults, records]) => {
    expect(files).toBe('files: model.bin, measurements.bin, bundle.json');
    expect(faults).toBe('faults found: 0');
    // 900 records with noise of some tens: far beyond any false alarm.
    expect(Number(/about (\d+) records/.exec(records)![1])).toBeGreaterThan(300);
  },
  'custom-workload': (lines) => {
    const noises = lines.slice(0, 3).map((line) => Number(/^noise: gaussian of scale ([\d.]+)$/.exec(line)![1]));
    // Three times the weight is less noise for the one share; cumulative counts are the most sensitive.
    expect(noises[2]).toBeLessThan(noises[1]);
    expect(noises[0]).toBeGreaterThan(noises[1]);
    expect(lines[3]).toMatch(/^retired: about \d+ of \d+$/);
  },
  'custom-mechanism': (lines) => {
    expect(lines.slice(0, 2)).toContain('selected: a, b');
    expect(Number(/(\d+)%/.exec(lines[2])![1])).toBeGreaterThan(80);
  },
  ask: ([header, women, men]) => {
    expect(header).toBe('sex | COUNT(*) | PERCENT()');
    const [count, low, high] = [...women.matchAll(/[\d.]+/g)].map(Number);
    // By conditional independence of sex and work given age.
    const expected = 2013 * (3361 / 3981) + 991 * (507 / 2492);
    expect(Math.abs(count - expected)).toBeLessThan(40);
    expect(low).toBeLessThan(count);
    expect(high).toBeGreaterThan(count);
    expect(men).toMatch(/^m \| /);
  },
};

describe('the examples', () => {
  it('are all promised something', () => {
    const names = readdirSync(import.meta.dirname).filter((file) => /^[a-z-]+\.ts$/.test(file));
    expect(names.sort()).toEqual(
      Object.keys(promises)
        .map((name) => `${name}.ts`)
        .sort(),
    );
  });

  it('have at most 40 lines each', () => {
    for (const name of Object.keys(promises))
      expect(
        readFileSync(path.join(import.meta.dirname, `${name}.ts`), 'utf8')
          .trim()
          .split('\n').length,
      ).toBeLessThanOrEqual(40);
  });

  it.each(Object.keys(promises))('%s prints what it says', async (name) => {
    promises[name](await linesOf(name));
  });
});
