import { readdirSync } from 'node:fs';
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

  it.each(Object.keys(promises))('%s prints what it says', async (name) => {
    promises[name](await linesOf(name));
  });
});
