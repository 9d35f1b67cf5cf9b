import { expect } from 'vitest';
import type { Connection } from '../../adapters/sql/connection.js';
import { databaseSource } from '../../adapters/sql/open-database-table.js';
import { rawSqlSource } from '../../adapters/sql/raw-sql-source.js';
import { sqlSource } from '../../adapters/sql/sql-source.js';
import { checkTarget, writeDatabaseRows } from '../../adapters/sql/write-rows.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { encodeTable } from '../../src/domain/encode/encode-table.js';
import { encodeHouseholds } from '../../src/domain/households/encode-households.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import { holding } from '../../src/query/holding.js';
import { marginal } from '../../src/query/marginal.js';
import { seeded } from '../../src/random/seeded.js';
import { memorySource } from '../../src/source/memory-source.js';
import { rawMemorySource } from '../../src/source/raw-memory-source.js';
import type { RawSource } from '../../src/source/raw-source.js';
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

/** A column of integers of so many bits. */
export interface SmallColumn {
  readonly name: string;
  readonly bits: 8 | 16;
  readonly values: readonly (number | null)[];
}

/**
 * Integers of few bits, as wide as they go and empty ones among them, count as in memory: with and without a cell for what is empty, and where more columns are put into
 * one number than 32 bits hold.
 */
export const expectSmallIntegers = async (
  connect: () => Promise<Connection>,
  rows: (columns: readonly SmallColumn[]) => string | Promise<string>,
): Promise<void> => {
  const random = seeded(9);
  const pick = (values: readonly (number | null)[]) =>
    Array.from({ length: 400 }, () => values[random.uint32() % values.length]);
  for (const isNull of [true, false]) {
    const empty = isNull ? [null] : [];
    const columns: SmallColumn[] = [
      { name: 'a', bits: 8, values: pick([-128, -1, 0, 1, 2, 3, 127, ...empty]) },
      { name: 'b', bits: 8, values: pick([-128, 127, 0, 5, 6, 19, ...empty]) },
      { name: 'c', bits: 8, values: pick([-128, 127, 4, 5, ...empty]) },
      { name: 'd', bits: 16, values: pick([-32768, 32767, 300, 301, ...empty]) },
      { name: 'e', bits: 16, values: pick([-32768, 32767, 0, 1, ...empty]) },
    ];
    // All outermost values in one row, where a number would be too large first.
    const ends = (sign: 1 | -1): (number | null)[] =>
      columns.map(({ bits }) => (sign === 1 ? 2 ** (bits - 1) - 1 : -(2 ** (bits - 1))));
    const filled = columns.map((column, i) => ({
      ...column,
      values: [...column.values, ends(1)[i], ends(-1)[i], ...(isNull ? [null] : [])],
    }));
    const domain = domainOf([
      { type: 'integer', name: 'a', min: 0, max: 3, null: isNull },
      { type: 'integer', name: 'b', min: 0, max: 19, bins: 4, null: isNull },
      { type: 'integer', name: 'c', edges: [-100, 5, 100], null: isNull },
      { type: 'integer', name: 'd', min: 290, max: 309, null: isNull },
      { type: 'integer', name: 'e', min: 0, max: 1, null: isNull },
    ]);
    const names = domain.attributes.map(({ name }) => name);
    const texts = Object.fromEntries(filled.map(({ name, values }) => [name, values]));
    const outside = 'clip';
    const memory = await memorySource({ table: encodeTable(domain, texts, { outside }), dataset: 'test', threads: 1 });
    const from = await rows(filled);
    const connection = await connect();
    const relation = { shown: 'test', sql: from, columns: await connection.columns(from) };
    const unit = { kind: 'row', maxRecords: 1 } as const;
    const source = await sqlSource(connection, relation, domain, { dataset: 'test', unit, random: seeded(1), outside });
    // In queries of their own: together they would be summed out of the first.
    for (const asked of [[...names], ['a'], ['c', 'b'], ['d', 'e'], ['a', 'b', 'd'], []].map((set) => [
      marginal(...set),
    ]))
      expect(await source.counts(asked)).toEqual(await memory.counts(asked));
    await source.close();
  }
};

/** Households with their persons count as in memory, and the values of columns are told as memory tells them. */
export const expectHouseholdsAndValues = async (
  connect: () => Promise<Connection>,
  constants: Constants,
): Promise<void> => {
  const schema = parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'region', type: 'category', values: ['north', 'south'] },
      { name: 'age', type: 'integer', edges: [0, 18, 65, 120] },
      { name: 'sex', type: 'category', values: ['f', 'm'] },
    ],
    twoLevel: { key: 'home', household: ['region'], maxSize: 3, size: 'persons' },
  });
  const random = seeded(3);
  const rows = Array.from({ length: 40 }, (_, i) => i).flatMap((home) =>
    Array.from({ length: 1 + (random.uint32() % 4) }, () => ({
      home: `h${home}`,
      region: home % 3 === 0 ? 'north' : 'south',
      age: random.uint32() % 100,
      sex: 'fm'[random.uint32() % 2],
    })),
  );
  const names = ['home', 'region', 'age', 'sex'] as const;
  const persons = Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]));
  const from = constants(
    names,
    rows.map((row) => [`'${row.home}'`, `'${row.region}'`, String(row.age), `'${row.sex}'`]),
  );
  const relationOf = async (connection: Connection) => ({
    shown: 'test',
    sql: from,
    columns: await connection.columns(from),
  });
  const { table, keys } = encodeHouseholds(domainFromSchema(schema), 'home', { persons });
  const memory = await memorySource({ table, ids: keys, dataset: 'test', threads: 1 });
  const connection = await connect();
  const source = await databaseSource(connection, await relationOf(connection), schema, { random: seeded(1) });
  const sets = [[], ['region'], ['persons', 'sex'], ['region', 'age', 'sex']];
  const asked = sets.map((set) => marginal(...set));
  expect(await source.counts(asked)).toEqual(await memory.counts(asked));
  const holdings = sets.map((set) => holding(...set));
  expect(await source.holdings!(holdings)).toEqual(await memory.holdings!(holdings));
  expect(await source.units()).toBe(await memory.units());
  await source.close();

  const columns = ['age', 'sex'];
  const known = { columns: columns.map((name) => ({ name, known: ['f'] })), weights: [256, 181, 147, 128, 114, 104] };
  const heard = async (raw: RawSource): Promise<unknown[]> => {
    const found: unknown[] = [await raw.rows()];
    for (const name of columns) await raw.values(name, (text, number) => found.push([name, text, number]));
    await raw.shared(known, (column, text, weight) => found.push([column, text, weight]));
    return found;
  };
  for (const unit of [
    { kind: 'row', maxRecords: 1 },
    { kind: 'id', column: 'home', maxRecords: 4 },
  ] as const) {
    const ids = unit.kind === 'id' ? rows.map(({ home }) => home) : undefined;
    const own = { age: rows.map(({ age }) => String(age)), sex: rows.map(({ sex }) => sex) };
    const inMemory = rawMemorySource({ columns: own, dataset: 'test', unit, ids, random: ids && seeded(1) });
    const open = await connect();
    const options = { columns, unit, dataset: 'test', random: seeded(1) };
    expect(await heard(await rawSqlSource(open, await relationOf(open), options))).toEqual(await heard(inMemory));
    await open.close();
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

/** Rows come back from a new table as they were written, every type and what is empty; a table that is there is refused, and rows that break off leave none. */
export const expectWritten = async (
  address: (table: string) => string,
  connect: () => Promise<Connection>,
  from: (table: string) => string,
) => {
  const domain = domainOf([
    { name: 'a word', type: 'category', values: ["it's", 'a\\b', 'ö; DROP'], null: true },
    { name: 'yes', type: 'boolean', null: true },
    { name: 'n', type: 'integer', min: -9_000_000_000, max: 9_000_000_000, bins: 10, null: true },
    { name: 'x', type: 'number', min: -10, max: 10, bins: 4, null: true },
    { name: 'day', type: 'date', min: '1960-01-01', max: '2030-12-31', by: 'year', null: true },
  ]);
  const rows = [
    ["it's", 'true', '-9000000000', '0.1', '1969-12-31'],
    ['a\\b', 'false', '9000000000', '-1e-7', '2024-02-29'],
    ['ö; DROP', 'true', '0', '10', '1970-01-01'],
    ['', '', '', '', ''],
  ];
  const names = domain.attributes.map(({ name }) => name);
  const part = (some: readonly (readonly string[])[]) =>
    Object.fromEntries(names.map((name, i) => [name, some.map((row) => row[i])]));
  const many = Array.from({ length: 2500 }, (_, i) => rows[i % 4]);
  async function* parts(bad = false) {
    yield part(many.slice(0, 1300));
    yield part(bad ? [["it's", 'SECRET', '1', '1', '2024-02-29']] : many.slice(1300));
  }
  await checkTarget(address('made'));
  expect(await writeDatabaseRows(address('made'), domain, parts())).toBe(2500);
  const connection = await connect();
  const { dialect } = connection;
  const columns = names.map((name) => dialect.text(dialect.identifier(name)));
  const found: (readonly unknown[])[] = [];
  await connection.query(`SELECT ${columns.join(', ')} FROM ${from('made')}`, { onRow: (row) => found.push(row) });
  const plain = (row: readonly unknown[]): string =>
    JSON.stringify(
      row.map((value, i) => (value === null || value === '' ? null : i === 3 ? Number(value) : String(value))),
    );
  expect(found.map(plain).sort()).toEqual(many.map(plain).sort());
  await expect(checkTarget(address('made'))).rejects.toThrow(/must not exist yet/);
  await expect(writeDatabaseRows(address('made'), domain, parts())).rejects.toThrow(/must not exist yet/);
  await expect(writeDatabaseRows(address('half'), domain, parts(true))).rejects.toThrow(
    /^(?!.*SECRET).*"yes": must hold/,
  );
  await expect(connection.columns(from('half'))).rejects.toThrow(/no such table/);
  await connection.close();
};
