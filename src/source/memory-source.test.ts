import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeWorkers } from '../../adapters/node-workers.js';
import type { Domain } from '../domain/domain.js';
import { codeColumn, type Table } from '../domain/table.js';
import { type Marginal, marginal } from '../query/marginal.js';
import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';
import { uniformInteger } from '../random/uniform.js';
import { type MemorySource, type MemorySourceOptions, memorySource } from './memory-source.js';

const domainOf = (sizes: readonly number[]): Domain => ({
  attributes: sizes.map((size, i) => {
    const name = `a${i}`;
    return { name, size, spec: { type: 'integer', name, min: 0, max: size - 1 } };
  }),
});

const randomTable = (sizes: readonly number[], length: number, random: Random): Table => ({
  domain: domainOf(sizes),
  length,
  columns: sizes.map((size) => codeColumn(size, length).map(() => uniformInteger(random, size))),
});

const bruteForce = (table: Table, { attributes }: Marginal): Float64Array => {
  const places = attributes.map((name) => table.domain.attributes.findIndex((attribute) => attribute.name === name));
  const sizes = places.map((place) => table.domain.attributes[place].size);
  const counts = new Float64Array(sizes.reduce((a, b) => a * b, 1));
  for (let row = 0; row < table.length; row++)
    counts[places.reduce((cell, place, i) => cell * sizes[i] + table.columns[place][row], 0)]++;
  return counts;
};

const subsets = (names: readonly string[], size: number): string[][] =>
  size === 0 ? [[]] : names.flatMap((name, i) => subsets(names.slice(i + 1), size - 1).map((rest) => [name, ...rest]));

/** Bit for bit; much faster than a deep comparison. */
const expectSame = (counts: readonly Float64Array[], expected: readonly Float64Array[]): void => {
  expect(counts.length).toBe(expected.length);
  const bytes = (array: Float64Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  counts.forEach((count, i) => {
    expect(Buffer.compare(bytes(count), bytes(expected[i])), `marginal ${i}`).toBe(0);
  });
};

const open: MemorySource[] = [];
const openSource = async (options: Partial<MemorySourceOptions> & { table: Table }): Promise<MemorySource> => {
  const source = await memorySource({ dataset: 'test', threads: 1, ...options });
  open.push(source);
  return source;
};
afterEach(() => {
  for (const source of open.splice(0)) source.close();
});

describe('counts in memory', () => {
  it('equals brute force for any table and any marginals, on one thread and on two', async () => {
    const workload = fc.record({
      sizes: fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(255, 256, 257, 300)), {
        minLength: 1,
        maxLength: 6,
      }),
      rows: fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 3000, max: 6000 })),
      seed: fc.integer(),
      picks: fc.array(fc.array(fc.nat(), { maxLength: 3 }), { maxLength: 12 }),
      threads: fc.constantFrom(1, 2),
    });
    await fc.assert(
      fc.asyncProperty(workload, async ({ sizes, rows, seed, picks, threads }) => {
        const table = randomTable(sizes, rows, seeded(seed));
        const marginals = picks.map((pick) => marginal(...new Set(pick.map((i) => `a${i % sizes.length}`))));
        fc.pre(marginals.every(({ attributes }) => attributes.length < 3 || sizes.every((size) => size < 255)));
        const source = await openSource({ table, threads, workers: nodeWorkers });
        const counts = await source.counts(marginals);
        source.close();
        expectSame(
          counts,
          marginals.map((wanted) => bruteForce(table, wanted)),
        );
      }),
      { numRuns: 30, seed: 5 },
    );
  });

  it('counts all three-way marginals exactly, with joint tables that cover many of them', async () => {
    const sizes = [2, 3, 2, 27, 5, 9, 2, 97, 4, 12];
    const table = randomTable(sizes, 20_001, seeded(1));
    const marginals = [3, 2, 1, 0].flatMap((k) =>
      subsets(
        sizes.map((_, i) => `a${i}`),
        k,
      ).map((names) => marginal(...names)),
    );
    const expected = marginals.map((wanted) => bruteForce(table, wanted));
    for (const threads of [1, 2]) {
      const source = await openSource({ table, threads, workers: nodeWorkers });
      expectSame(await source.counts(marginals), expected);
    }
  });

  it('shares the rows of one marginal among threads without losing any', async () => {
    const table = randomTable([7, 11, 70_000], 100_003, seeded(2));
    const source = await openSource({ table, threads: 2, workers: nodeWorkers });
    for (const wanted of [marginal('a1', 'a0'), marginal('a2'), marginal()])
      expectSame(await source.counts([wanted]), [bruteForce(table, wanted)]);
  });

  it('returns cells in the order of attributes asked for, and a marginal as often as asked', async () => {
    const table = randomTable([3, 4, 5, 2], 500, seeded(3));
    const source = await openSource({ table });
    const marginals = [
      ['a2', 'a0', 'a1'],
      ['a0', 'a1', 'a2'],
      ['a3', 'a1', 'a0', 'a2'],
      ['a2', 'a0', 'a1'],
      ['a1', 'a0'],
    ].map((names) => marginal(...names));
    const counts = await source.counts(marginals);
    expectSame(
      counts,
      marginals.map((wanted) => bruteForce(table, wanted)),
    );
    expect(counts[0]).not.toBe(counts[3]);
  });

  it('answers requests made at the same time as if they came one by one', async () => {
    const table = randomTable([30, 40, 50], 5000, seeded(4));
    const source = await openSource({ table, threads: 2, workers: nodeWorkers });
    const marginals = [marginal('a0', 'a1'), marginal('a1', 'a2'), marginal('a0', 'a2')];
    const counts = await Promise.all(marginals.map((wanted) => source.counts([wanted])));
    expectSame(
      counts.flat(),
      marginals.map((wanted) => bruteForce(table, wanted)),
    );
  });

  it('refuses tables beyond its memory before any work, and names the size needed', async () => {
    const table = randomTable(Array(60).fill(50), 10, seeded(5));
    const source = await openSource({ table });
    const names = table.domain.attributes.map(({ name }) => name);
    await expect(source.counts([marginal(...names.slice(0, 6))])).rejects.toThrow(
      'counts: the tables must fit in 2.1 GB of memory, got a need of 125.0 GB',
    );
    await expect(source.counts([marginal(...names)])).rejects.toThrow('got a need of 6.94e+93 GB');
    const large = await openSource({ table, memoryLimit: 1e12 });
    await expect(large.counts([marginal(...names.slice(0, 6))])).rejects.toThrow(
      'source: its rows and the counts asked for must fit in 4 GB together, got more;',
    );
    expect((await source.counts([marginal('a0')]))[0].length).toBe(50);
  });

  it('loads no rows once it is told to stop', async () => {
    const table = randomTable([30, 40, 50], 100, seeded(6));
    const reason = new Error('enough');
    await expect(openSource({ table, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('stops when told to, and counts again afterwards', async () => {
    const table = randomTable([30, 40, 50], 5000, seeded(6));
    const source = await openSource({ table, threads: 2, workers: nodeWorkers });
    const controller = new AbortController();
    const reason = new Error('enough');
    const waiting = source.counts([marginal('a0', 'a1')], { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expectSame(await source.counts([marginal('a1')]), [bruteForce(table, marginal('a1'))]);
  });

  it('does not let anyone at the rows: neither its properties nor later changes to the table reach them', async () => {
    const table = randomTable([3, 4], 100, seeded(7));
    const expected = bruteForce(table, marginal('a0'));
    const source = await openSource({ table });
    table.columns[0].fill(0);
    expectSame(await source.counts([marginal('a0')]), [expected]);
    expect(Object.keys(source).sort()).toEqual([
      'close',
      'counts',
      'dataset',
      'domain',
      'holdings',
      'isOpen',
      'seeded',
      'unit',
      'units',
    ]);
    expect(JSON.parse(JSON.stringify(source))).toEqual({
      dataset: 'test',
      domain: table.domain,
      seeded: false,
      unit: source.unit,
    });
  });

  it('refuses tables that contradict their domain, naming column and row but no value', async () => {
    const table = randomTable([3, 300], 10, seeded(8));
    const broken = { ...table, columns: [table.columns[0], new Uint16Array(10)] };
    broken.columns[1][6] = 377;
    await expect(openSource({ table: broken })).rejects.toThrow('column a1: codes must be below 300, row 7 is not');
    await expect(openSource({ table: { ...table, columns: table.columns.slice(1) } })).rejects.toThrow(
      'must have 2 columns',
    );
    await expect(openSource({ table: { ...table, length: 11 } })).rejects.toThrow(
      'column a0: must have 11 codes, got 10',
    );
    const source = await openSource({ table });
    await expect(source.counts([marginal('a0', 'a0')])).rejects.toThrow('must name an attribute once');
    await expect(source.counts([marginal('nobody')])).rejects.toThrow('must be one of a0, a1');
  });
});

describe('the unit', () => {
  const unit = { kind: 'id', column: 'person', maxRecords: 3 } as const;

  it('is a row by default, and the units are the rows', async () => {
    const source = await openSource({ table: randomTable([2], 17, seeded(9)) });
    expect(source.unit).toEqual({ kind: 'row', maxRecords: 1 });
    expect(await source.units()).toBe(17);
  });

  it('never contributes more than maxRecords rows, and loses no row below that', async () => {
    for (const kind of ['text', 'number', 'bigint'] as const) {
      const random = seeded(10);
      const owners = Array.from({ length: 2000 }, () => uniformInteger(random, 1 + uniformInteger(random, 600)));
      const codes = codeColumn(600, 2000);
      codes.set(owners);
      const domain = domainOf([600]);
      const ids = owners.map((id) => (kind === 'text' ? `p${id}` : kind === 'bigint' ? BigInt(id) : id));
      const source = await openSource({
        table: { domain, length: 2000, columns: [codes] },
        unit,
        ids,
        random: seeded(11),
      });
      const before = bruteForce({ domain, length: 2000, columns: [codes] }, marginal('a0'));
      expectSame(await source.counts([marginal('a0')]), [before.map((count) => Math.min(count, 3))]);
      expect(await source.units()).toBe(new Set(owners).size);
    }
  });

  it('keeps whole rows together', async () => {
    const columns = [Uint8Array.from([0, 1, 2, 3, 4]), Uint8Array.from([4, 3, 2, 1, 0])];
    const table = { domain: domainOf([5, 5]), length: 5, columns };
    const source = await openSource({ table, unit, ids: ['x', 'x', 'x', 'x', 'x'], random: seeded(12) });
    const [joint] = await source.counts([marginal('a0', 'a1')]);
    const kept = [...joint.keys()].filter((cell) => joint[cell] > 0);
    expect(kept.length).toBe(3);
    expect(kept.every((cell) => Math.floor(cell / 5) + (cell % 5) === 4)).toBe(true);
  });

  it('is refused when it cannot be enforced', async () => {
    const table = randomTable([2], 4, seeded(13));
    const ids = [1, 1, 2, 3];
    const random = seeded(14);
    await expect(openSource({ table, unit, random })).rejects.toThrow('unit: needs ids and random');
    await expect(openSource({ table, unit, ids })).rejects.toThrow('unit: needs ids and random');
    await expect(openSource({ table, ids, random })).rejects.toThrow('unit: must be an id when ids are given');
    await expect(openSource({ table, unit, ids: [1], random })).rejects.toThrow('one for each of the 4 rows, got 1');
    const holes = [1, undefined, 2, 3] as unknown as number[];
    await expect(openSource({ table, unit, ids: holes, random })).rejects.toThrow('got none in row 2');
    for (const maxRecords of [0, 1.5, Number.NaN])
      await expect(openSource({ table, unit: { ...unit, maxRecords }, ids, random })).rejects.toThrow(
        'unit.maxRecords',
      );
  });
});
