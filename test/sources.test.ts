import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { nodeWorkers } from '../adapters/node-workers.js';
import { openPrivateFile } from '../adapters/private/private-file.js';
import { writeTable } from '../adapters/table/write-table.js';
import type { AttributeSpec } from '../src/domain/attribute/attribute.js';
import { cellsOf, indexOf, sizesOf } from '../src/domain/domain.js';
import { domainOf } from '../src/domain/domain-of.js';
import { InputError } from '../src/domain/input-error.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { codeColumn, type Table } from '../src/domain/table.js';
import { type Marginal, marginal } from '../src/query/marginal.js';
import type { Unit } from '../src/query/unit.js';
import { seeded } from '../src/random/seeded.js';
import { shuffle } from '../src/random/shuffle.js';
import { uniformInteger } from '../src/random/uniform.js';
import type { ClosableSource } from '../src/source/closable.js';
import { memorySource } from '../src/source/memory-source.js';
import { databaseOwner, type Owner, postgresSource } from './support/postgres-table.js';

// Every PrivateSource runs through this suite: add a maker for a new one.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
});
afterAll(async () => {
  await owner?.end();
  await rm(folder, { recursive: true });
});

const opened: ClosableSource[] = [];
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
});

/** Makes a source of a table's rows. With an id unit its column is an attribute of the table, so that it can be counted. */
type Maker = (table: Table, unit: Unit, seed: number) => Promise<ClosableSource>;

let files = 0;
const fromFile =
  (ending: string, engine: 'memory' | 'duckdb'): Maker =>
  async (table, unit, seed) => {
    const file = path.join(folder, `${++files}${ending}`);
    await writeTable(file, table.domain, table, { random: seeded(seed) });
    const attributes = table.domain.attributes.map(({ spec }) => spec);
    const schema: Schema = { surmise: 1, origin: { kind: 'declared' }, attributes };
    return openPrivateFile(file, schema, { random: seeded(seed), unit, engine, dataset: 'test', threads: 2 });
  };

const inMemory =
  (threads: number): Maker =>
  async (table, unit, seed) => {
    const ids = unit.kind === 'id' ? { ids: table.columns[indexOf(table.domain, unit.column)] } : {};
    const workers = threads > 1 ? { workers: nodeWorkers } : {};
    const source = await memorySource({
      table,
      dataset: 'test',
      unit,
      random: seeded(seed),
      threads,
      ...workers,
      ...ids,
    });
    return { ...source, close: async () => source.close() };
  };

let owner: Owner | undefined;
const inPostgres =
  (copies: boolean): Maker =>
  async (table, unit, seed) => {
    owner ??= await databaseOwner();
    const name = await owner.write(table, seeded(seed));
    return postgresSource(owner.login, name, table.domain, { random: seeded(seed), unit, dataset: 'test', copies });
  };

const makers: [string, Maker][] = [
  ['memory, one thread', inMemory(1)],
  ['memory, two threads', inMemory(2)],
  ['memory, from a CSV file', fromFile('.csv', 'memory')],
  ['DuckDB, from a CSV file', fromFile('.csv', 'duckdb')],
  ['DuckDB, from a Parquet file', fromFile('.parquet', 'duckdb')],
  ['PostgreSQL', inPostgres(false)],
  ['PostgreSQL, copied', inPostgres(true)],
];

const ROW: Unit = { kind: 'row', maxRecords: 1 };

const attribute = (name: string, size: number): AttributeSpec =>
  size % 2 === 0
    ? { name, type: 'category', values: Array.from({ length: size }, (_, i) => `v${i}`) }
    : { name, type: 'integer', min: 0, max: size - 1 };

const randomTable = (sizes: readonly number[], length: number, seed: number): Table => {
  const random = seeded(seed);
  const domain = domainOf(sizes.map((size, i) => attribute(`x${i}`, size)));
  const columns = sizes.map((size) => {
    const column = codeColumn(size, length);
    // Skewed, so that some cells hold many rows and some none.
    for (let row = 0; row < length; row++) column[row] = uniformInteger(random, uniformInteger(random, size) + 1);
    return column;
  });
  return { domain, length, columns };
};

/** The definition of a marginal, row by row. */
const bruteForce = ({ domain, columns, length }: Table, { attributes }: Marginal): Float64Array => {
  const sizes = sizesOf(domain, attributes);
  const used = attributes.map((name) => columns[indexOf(domain, name)]);
  const counts = new Float64Array(cellsOf(domain, attributes));
  for (let row = 0; row < length; row++) {
    let cell = 0;
    for (let i = 0; i < used.length; i++) cell = cell * sizes[i] + used[i][row];
    counts[cell]++;
  }
  return counts;
};

/** Bit for bit, which is quicker on long arrays than a deep comparison. */
const expectCounts = (counts: readonly Float64Array[], table: Table, asked: readonly Marginal[]): void => {
  expect(counts.length).toBe(asked.length);
  for (const [i, query] of asked.entries()) {
    const expected = bruteForce(table, query);
    expect(counts[i].length).toBe(expected.length);
    const same = Buffer.from(expected.buffer).equals(
      Buffer.from(counts[i].buffer, counts[i].byteOffset, counts[i].byteLength),
    );
    if (!same) expect(counts[i], query.attributes.join()).toEqual(expected);
  }
};

describe.each(makers)('%s', (_, make) => {
  const open: Maker = async (...given) => {
    const source = await make(...given);
    opened.push(source);
    return source;
  };

  test('counts of random marginals of random tables are the brute-force counts bit for bit', async () => {
    const tables = fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 6 }),
      length: fc.integer({ min: 0, max: 300 }),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(tables, async ({ sizes, length, seed }) => {
        const table = randomTable(sizes, length, seed);
        const source = await make(table, ROW, seed);
        const random = seeded(seed + 1);
        const names = table.domain.attributes.map(({ name }) => name);
        const asked = Array.from({ length: 12 }, () =>
          marginal(...shuffle(names, random).slice(0, uniformInteger(random, Math.min(4, names.length) + 1))),
        );
        const counts = await source.counts(asked);
        await source.close();
        expectCounts(counts, table, asked);
        expect(source.domain).toEqual(table.domain);
      }),
      { numRuns: 12, examples: [[{ sizes: [1], length: 0, seed: 1 }], [{ sizes: [2, 3], length: 1, seed: 2 }]] },
    );
  });

  test('16-bit and 32-bit codes count like 8-bit ones', async () => {
    const table = randomTable([300, 70_000, 3], 5000, 4);
    const asked = [marginal('x0'), marginal('x1'), marginal('x2', 'x0'), marginal('x1', 'x2')];
    expectCounts(await (await open(table, ROW, 1)).counts(asked), table, asked);
  });

  test('all pairs and triples of twelve attributes at once are the brute-force counts', async () => {
    const table = randomTable([2, 3, 4, 5, 6, 2, 3, 4, 5, 6, 2, 3], 3000, 5);
    const names = table.domain.attributes.map(({ name }) => name);
    const asked = names.flatMap((a, i) =>
      names.slice(i + 1).flatMap((b, j) => [marginal(a, b), ...names.slice(i + j + 2).map((c) => marginal(a, b, c))]),
    );
    expect(asked.length).toBe(66 + 220);
    expectCounts(await (await open(table, ROW, 1)).counts(asked), table, asked);
  });

  test('no marginals have no counts, and the total is one cell', async () => {
    const source = await open(randomTable([3, 2], 17, 6), ROW, 1);
    expect(await source.counts([])).toEqual([]);
    expect(await source.counts([marginal()])).toEqual([new Float64Array([17])]);
    expect(await source.units()).toBe(17);
  });

  test('an empty table counts nothing in every cell', async () => {
    const source = await open(randomTable([3, 2], 0, 6), ROW, 1);
    expect(await source.counts([marginal(), marginal('x1', 'x0')])).toEqual([new Float64Array(1), new Float64Array(6)]);
    expect(await source.units()).toBe(0);
  });

  test('cells follow the order of the attributes as asked, and a marginal may be asked twice', async () => {
    const table = randomTable([3, 2, 5], 100, 7);
    const [ab, ba, again] = await (await open(table, ROW, 1)).counts([
      marginal('x0', 'x2'),
      marginal('x2', 'x0'),
      marginal('x0', 'x2'),
    ]);
    for (let a = 0; a < 3; a++) for (let b = 0; b < 5; b++) expect(ab[a * 5 + b]).toBe(ba[b * 3 + a]);
    expect(again).toEqual(ab);
    expect(again).not.toBe(ab);
  });

  test('counts asked for at the same time do not disturb each other', async () => {
    const table = randomTable([3, 2, 5, 7], 500, 8);
    const source = await open(table, ROW, 1);
    const asked = [['x0'], ['x1', 'x3'], ['x2', 'x0'], []].map((names) => marginal(...names));
    const counts = await Promise.all(asked.map((query) => source.counts([query])));
    expect(counts.map(([first]) => first)).toEqual(asked.map((query) => bruteForce(table, query)));
  });

  test('an unknown attribute, a repeated one and a table beyond the memory are refused, and counting goes on', async () => {
    const source = await open(randomTable([600, 60_001, 60_003, 3], 20, 9), ROW, 1);
    await expect(source.counts([marginal('x3', 'none')])).rejects.toThrow(/none/);
    await expect(source.counts([marginal('x3', 'x3')])).rejects.toThrow(InputError);
    // 600 x 60,001 x 60,003 cells of 8 bytes.
    await expect(source.counts([marginal('x0', 'x1', 'x2')])).rejects.toThrow(/1\.73e\+4 GB/);
    expect((await source.counts([marginal()]))[0][0]).toBe(20);
  });

  test('an aborted count rejects with the reason', async () => {
    const source = await open(randomTable([3, 2], 20, 9), ROW, 1);
    const reason = new Error('enough');
    await expect(source.counts([marginal('x0')], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  describe.each([1, 2, 3])('with at most %i rows for an id', (maxRecords) => {
    const unit: Unit = { kind: 'id', column: 'x0', maxRecords };

    test('every id keeps as many rows as it may and has, and those are rows of its own', async () => {
      for (const seed of [1, 2, 3]) {
        const table = randomTable([41, 3, 5], 97, seed);
        const source = await open(table, unit, seed);
        const asked = [marginal('x0'), marginal('x0', 'x1', 'x2'), marginal()];
        const [each, joint, [total]] = await source.counts(asked);
        const [allEach, allJoint] = asked.map((query) => bruteForce(table, query));
        expect(each).toEqual(allEach.map((rows) => Math.min(rows, maxRecords)));
        expect(total).toBe(each.reduce((sum, rows) => sum + rows, 0));
        const within = (cell: number) => allEach[Math.floor(cell / 15)] <= maxRecords;
        expect(joint.every((rows, cell) => (within(cell) ? rows === allJoint[cell] : rows <= allJoint[cell]))).toBe(
          true,
        );
        expect(await source.units()).toBe(allEach.filter((rows) => rows > 0).length);
        expect(source.unit).toEqual(unit);
      }
    });

    test('the rows kept are a uniformly random choice, and another one with other randomness', async () => {
      // 2,000 ids with 5 rows each, numbered 0 to 4: which are kept is uniform, so each number stays in about as often.
      const ids = 2000;
      const domain = domainOf([attribute('x0', ids), attribute('x1', 5)]);
      const columns = domain.attributes.map(({ size }) => codeColumn(size, ids * 5));
      for (let row = 0; row < ids * 5; row++) {
        columns[0][row] = row % ids;
        columns[1][row] = Math.floor(row / ids);
      }
      const table = { domain, length: ids * 5, columns };
      const [counts, joint] = await (await open(table, unit, 1)).counts([marginal('x1'), marginal('x0', 'x1')]);
      // Each count is a sum of 2,000 draws of chance p = D/5: within 5.8 standard deviations of its mean but for a chance
      // of 1e-8 (normal tail), for each of 5 counts, 3 bounds and 5 sources below 1e-6 together. The seed is fixed besides.
      const p = maxRecords / 5;
      for (const count of counts) expect(Math.abs(count - ids * p)).toBeLessThan(5.8 * Math.sqrt(ids * p * (1 - p)));
      const [other] = (await (await open(table, unit, 2)).counts([marginal('x0', 'x1')])) as [Float64Array];
      expect(other).not.toEqual(joint);
    });
  });
});

describe('a private file', () => {
  const schema: Schema = {
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [{ name: 'sex', type: 'category', values: ['f', 'm'] }],
    unit: { id: 'person', maxRecords: 1 },
  };
  const save = async (name: string, text: string): Promise<string> => {
    await writeFile(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const good = 'person,sex\n1,f\n1,f\n2,m\n01,m\n';

  test.each(['memory', 'duckdb', 'auto'] as const)(
    'is counted by the engine %s with the unit of its schema',
    async (engine) => {
      const source = await openPrivateFile(await save('good.csv', good), schema, { random: seeded(1), engine });
      opened.push(source);
      expect(source.unit).toEqual({ kind: 'id', column: 'person', maxRecords: 1 });
      expect(await source.counts([marginal('sex')])).toEqual([new Float64Array([1, 2])]);
      expect(await source.units()).toBe(3);
    },
  );

  test('moves to DuckDB when its codes do not fit', async () => {
    const file = await save('good2.csv', good);
    const options = { random: seeded(1), codeLimit: 3 };
    const source = await openPrivateFile(file, schema, options);
    opened.push(source);
    expect(await source.counts([marginal('sex')])).toEqual([new Float64Array([1, 2])]);
    await expect(openPrivateFile(file, schema, { ...options, engine: 'memory' })).rejects.toThrow(InputError);
  });

  test.each(['memory', 'duckdb'] as const)('is refused before any count by %s when a row is wrong', async (engine) => {
    const cases: [string, RegExp][] = [
      ['person,sex\n1,f\n,m\n', /column "person", row 2: empty/],
      ['person,sex\n1,f\n2,SECRET\n', /column "sex", row 2: not a declared value/],
      ['person,sex\n1,f\n2,\n', /column "sex", row 2: empty/],
      ['person,sex\n1,f\nSECRET\n', /line 3/],
      ['who,sex\n1,f\n', /must have the column "person"/],
    ];
    for (const [i, [text, message]] of cases.entries()) {
      const file = await save(`${engine}${i}.csv`, text);
      const error = await openPrivateFile(file, schema, { random: seeded(1), engine }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(InputError);
      expect((error as Error).message).toMatch(message);
      expect((error as Error).message).not.toMatch(/SECRET/);
    }
  });

  test('has the name that it is given, and none that derives from the file', async () => {
    const file = await save('named.csv', good);
    for (const [given, name] of [
      [{}, 'private table'],
      [{ dataset: 'survey' }, 'survey'],
    ] as const) {
      const source = await openPrivateFile(file, schema, { random: seeded(1), ...given });
      opened.push(source);
      expect(source.dataset).toBe(name);
    }
  });

  test('counts nothing once it was closed, and says so', async () => {
    const file = await save('closed.csv', good);
    for (const engine of ['memory', 'duckdb'] as const) {
      const source = await openPrivateFile(file, schema, { random: seeded(1), engine });
      expect(source.isOpen()).toBe(true);
      const under = source.counts([{ kind: 'marginal', attributes: [] }]);
      await source.close();
      expect(source.isOpen()).toBe(false);
      // What was under way is waited for.
      await expect(under).resolves.toHaveLength(1);
      await expect(source.counts([{ kind: 'marginal', attributes: [] }])).rejects.toThrow(/closed/);
    }
  });

  test('tells nothing of its rows while it loads', async () => {
    const seen = async (text: string) => {
      const events: unknown[] = [];
      const file = await save('progress.csv', text);
      opened.push(
        await openPrivateFile(file, schema, { random: seeded(1), onProgress: (event) => events.push(event) }),
      );
      return events;
    };
    expect(await seen(good)).toEqual(
      await seen(`person,sex\n${Array.from({ length: 9999 }, (_, i) => `${i},f\n`).join('')}`),
    );
  });
});
