import { expect } from 'vitest';
import type { Connection } from '../../adapters/sql/connection.js';
import { sqlSource } from '../../adapters/sql/sql-source.js';
import { marginal } from '../../src/query/marginal.js';
import { seeded } from '../../src/random/seeded.js';
import { plainDomain, plainSource } from './plain-source.js';
import { folderWith, surmise } from './surmise.js';

/** Rows of constants of an engine's own spelling, as something that can stand after FROM. */
export type Constants = (columns: readonly string[], rows: readonly (readonly string[])[]) => string;

/** Counts of all pairs by an engine are those of a loop over the rows: of rows, and of ids that have no more rows than they may. */
export const expectCounts = async (connect: () => Promise<Connection>, constants: Constants): Promise<void> => {
  const sizes = [3, 7, 2, 40, 300];
  const domain = plainDomain(sizes);
  const random = seeded(7);
  const rows = Array.from({ length: 500 }, () => sizes.map((size) => random.uint32() % size));
  const names = domain.attributes.map(({ name }) => name);
  const from = constants(
    [...names, 'who'],
    rows.map((row, i) => [...row.map(String), `'p${i % 200}'`]),
  );
  const pairs = names.flatMap((one, i) => names.slice(i + 1).map((two) => marginal(one, two)));
  const expected = await plainSource(domain, rows).counts(pairs);
  for (const [unit, units] of [
    [{ kind: 'row', maxRecords: 1 }, 500],
    [{ kind: 'id', column: 'who', maxRecords: 3 }, 200],
  ] as const) {
    const connection = await connect();
    const relation = { shown: 'test', sql: from, columns: await connection.columns(from) };
    const source = await sqlSource(connection, relation, domain, { dataset: 'test', unit, random: seeded(1) });
    expect(await source.counts(pairs, {})).toEqual(expected);
    expect(await source.units()).toBe(units);
    await source.close();
  }
};

/** Of an id with more rows than it may have, as many are kept as it may, the same ones whenever it is asked, whatever rows others have. */
export const expectBounds = async (connect: () => Promise<Connection>, constants: Constants): Promise<void> => {
  const domain = plainDomain([50, 4]);
  const rows = Array.from({ length: 120 }, (_, i) => [String(i % 50), String(i % 4), `'p${i % 5}'`]);
  const kept = async (some: readonly (readonly string[])[]): Promise<Float64Array[]> => {
    const from = constants(['a', 'b', 'who'], some);
    const connection = await connect();
    const relation = { shown: 'test', sql: from, columns: await connection.columns(from) };
    const unit = { kind: 'id', column: 'who', maxRecords: 3 } as const;
    const source = await sqlSource(connection, relation, domain, { dataset: 'test', unit, random: seeded(1) });
    const counts = [await source.counts([marginal('a', 'b')], {}), await source.counts([marginal('a')], {})].flat();
    await source.close();
    return counts;
  };
  const all = await kept(rows);
  const total = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0);
  expect(all.map(total)).toEqual([15, 15]);
  expect(await kept(rows.toReversed())).toEqual(all);
  const fewer = await kept(rows.filter(([, , who]) => who !== "'p3'"));
  expect(all.map((counts, i) => total(counts.map((count, at) => Math.abs(count - fewer[i][at]))))).toEqual([3, 3]);
};

/** A release by the command line of what an address and a query name: refused where the rows may change, else whole and verified. */
export const expectRelease = async (address: (extra: string) => string, constants: Constants): Promise<void> => {
  const colours = Array.from({ length: 400 }, (_, i) => ['red', 'green', 'blue'][(i * i) % 3]);
  const from = constants(
    ['colour', 'vip'],
    colours.map((colour, i) => [`'${colour}'`, String(i % 4 === 0)]),
  );
  const folder = await folderWith({
    // Tables that a session makes are its own in some servers.
    'rows.sql': `SELECT colour, vip FROM ${from}`,
    's.json': JSON.stringify({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
        { name: 'vip', type: 'boolean' },
      ],
    }),
  });
  const words = ['--query', 'rows.sql', '--unit', 'row', '--schema', 's.json', '--epsilon', '20'];
  const release = (extra: string) =>
    surmise(folder, 'release', address(extra), ...words, '--ledger', 'l.jsonl', '-o', 'out');
  const refused = expect.stringContaining('all counts must be of the same rows');
  expect(await release('')).toMatchObject({ code: 2, err: refused });
  expect(await release('&fixed=true')).toMatchObject({ code: 0, err: '' });
  expect(await surmise(folder, 'verify', 'out', '--ledger', 'l.jsonl')).toMatchObject({ code: 0 });
  const sql = "SELECT COUNT(*) AS n FROM data WHERE colour = 'red'";
  const { answers } = JSON.parse((await surmise(folder, 'query', 'out', sql, '--json')).out);
  const truth = colours.filter((colour) => colour === 'red').length;
  expect(Math.abs(answers[0].rows[0].values[0] - truth)).toBeLessThan(10);
};
