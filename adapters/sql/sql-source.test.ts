import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import { constraintsOf } from '../../src/domain/constraints/constraints-of.js';
import { mendedBy } from '../../src/domain/constraints/mending.js';
import { encodeTable } from '../../src/domain/encode/encode-table.js';
import { type Outside, withOutside } from '../../src/domain/schema/outside.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import type { Table } from '../../src/domain/table.js';
import { marginal } from '../../src/query/marginal.js';
import type { Unit } from '../../src/query/unit.js';
import { seeded } from '../../src/random/seeded.js';
import { memorySource } from '../../src/source/memory-source.js';
import { allSpecs, awkwardTexts } from '../../test/support/awkward-values.js';
import { databaseOwner, type Owner, postgresSource } from '../../test/support/postgres-table.js';
import { postgresConnection } from '../postgres/connection.js';
import { boundingKey } from './bounded-sql.js';
import { sqlSource } from './sql-source.js';

let owner: Owner;
beforeAll(async () => {
  owner = await databaseOwner();
});
afterAll(() => owner.end());

const ROW: Unit = { kind: 'row', maxRecords: 1 };
let tables = 0;

/** Texts in a table of text columns, as they are. */
const store = async (columns: Readonly<Record<string, readonly (string | null)[]>>): Promise<string> => {
  const name = `raw${++tables}`;
  const names = Object.keys(columns);
  await owner.client.query(`CREATE TABLE ${name} (${names.map((one) => `"${one}" text`).join(', ')})`);
  const arrays = names.map((_, i) => `$${i + 1}::text[]`);
  await owner.client.query(
    `INSERT INTO ${name} SELECT * FROM unnest(${arrays.join(', ')})`,
    names.map((one) => [...columns[one]]),
  );
  return name;
};

test('columns of all types at once count as in memory, under any rule for values outside', async () => {
  const drawn = fc.record({
    picked: fc.uniqueArray(fc.nat({ max: allSpecs.length - 1 }), { minLength: 3, maxLength: 6 }),
    outside: fc.constantFrom<Outside>('other', 'clip'),
    rows: fc.array(fc.array(fc.nat({ max: awkwardTexts.length }), { minLength: 6, maxLength: 6 }), { maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(drawn, async ({ picked, outside, rows }) => {
      const attributes = picked.map((at, i) => ({ ...allSpecs[at], name: `x${i}` }) as AttributeSpec);
      const schema = withOutside(parseSchema({ surmise: 1, origin: { kind: 'declared' }, attributes }), outside);
      const domain = domainFromSchema(schema);
      const columns = Object.fromEntries(
        attributes.map(({ name }, i) => [name, rows.map((row) => awkwardTexts[row[i]] ?? null)]),
      );
      const memory = await memorySource({ table: encodeTable(domain, columns, { outside }), dataset: 'test' });
      const source = await postgresSource(owner.login, await store(columns), domain, {
        dataset: 'test',
        unit: ROW,
        random: seeded(1),
        outside,
      });
      // A joint table of large attributes would not fit; single ones and small pairs do.
      const small = domain.attributes.filter(({ size }) => size < 2000).map(({ name }) => name);
      const asked = [
        marginal(),
        ...small.map((name) => marginal(name)),
        ...small.slice(1).map((name, i) => marginal(name, small[i])),
      ];
      expect(await source.counts(asked)).toEqual(await memory.counts(asked));
      expect(await source.units()).toBe(rows.length);
      await source.close();
    }),
    { numRuns: 8 },
  );
});

test('rows that break a constraint are mended as in memory', async () => {
  const schema = parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'age', type: 'integer', min: 0, max: 30 },
      { name: 'works', type: 'boolean' },
      { name: 'job', type: 'category', values: ['smith', 'cook'], null: true },
      { name: 'other', type: 'category', values: ['a', 'b'] },
    ],
    constraints: [{ forbid: 'age < 15 AND works = true' }, { forbid: 'works = false AND job IS NOT NULL' }],
  });
  const domain = domainFromSchema(schema);
  const random = seeded(5);
  const pick = (list: readonly (string | null)[]) => list[random.uint32() % list.length];
  const rows = Array.from({ length: 300 }, () => random.uint32() % 31);
  const columns = {
    age: rows.map(String),
    works: rows.map(() => pick(['true', 'false'])),
    job: rows.map(() => pick(['smith', 'cook', null])),
    other: rows.map(() => pick(['a', 'b'])),
  };
  const table = mendedBy(constraintsOf(domain)!.mending, encodeTable(domain, columns));
  const memory = await memorySource({ table, dataset: 'test' });
  const source = await postgresSource(owner.login, await store(columns), domain, {
    dataset: 'test',
    unit: ROW,
    random: seeded(1),
  });
  const asked = [marginal('age', 'works', 'job', 'other'), marginal('job'), marginal('other', 'works')];
  expect(await source.counts(asked)).toEqual(await memory.counts(asked));
  await source.close();
});

/** What `boundedSql` keeps, row by row: the definition. */
const keptRows = (table: Table, ids: readonly string[], maxRecords: number, key: string): number[] => {
  const alike = new Map<string, number>();
  const ranked = ids.map((id, row) => {
    const codes = table.columns.map((column) => column[row]).join(':');
    const occurrence = (alike.get(`${codes} ${id}`) ?? 0) + 1;
    alike.set(`${codes} ${id}`, occurrence);
    const hash = createHash('sha256').update(`${key}:${codes}:${occurrence}:${id}`, 'utf8').digest('hex');
    return { row, id, hash };
  });
  ranked.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const taken = new Map<string, number>();
  return ranked.flatMap(({ row, id }) => {
    const before = taken.get(id) ?? 0;
    taken.set(id, before + 1);
    return before < maxRecords ? [row] : [];
  });
};

test('an id keeps the rows with the least keyed hash, whatever the order in which they lie', async () => {
  const domain = domainFromSchema(
    parseSchema({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'a', type: 'integer', min: 0, max: 3 },
        { name: 'b', type: 'category', values: ['x', 'y', 'z'] },
      ],
    }),
  );
  const asked = [marginal('a', 'b'), marginal('b'), marginal()];
  for (const seed of [1, 2, 3]) {
    const random = seeded(seed);
    const rows = Array.from({ length: 150 }, () => [random.uint32() % 4, random.uint32() % 3, random.uint32() % 25]);
    const columns = (of: readonly (readonly number[])[]) => ({
      a: of.map(([a]) => String(a)),
      b: of.map(([, b]) => 'xyz'[b]),
      who: of.map(([, , id]) => (id === 0 ? 'é:1' : `p${id}`)),
    });
    const maxRecords = 1 + (seed % 3);
    const all = columns(rows);
    const table = encodeTable(domain, all);
    const kept = keptRows(table, all.who, maxRecords, boundingKey(seeded(seed)));
    const expected = await memorySource({
      table: {
        ...table,
        length: kept.length,
        columns: table.columns.map((column) => column.filter((_, i) => kept.includes(i))),
      },
      dataset: 'test',
    });
    for (const given of [rows, rows.toReversed()]) {
      const unit: Unit = { kind: 'id', column: 'who', maxRecords };
      const name = await store(columns(given));
      const source = await postgresSource(owner.login, name, domain, { dataset: 'test', unit, random: seeded(seed) });
      expect(await source.counts(asked)).toEqual(await expected.counts(asked));
      expect(await source.units()).toBe(new Set(all.who).size);
      await source.close();
    }
  }
});

test('what is sent, in which order, and what is told meanwhile are the same for any rows', async () => {
  const domain = domainFromSchema(
    parseSchema({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [
        { name: 'a', type: 'integer', min: 0, max: 3, null: true },
        { name: 'b', type: 'category', values: ['x', 'y'], other: 'z', null: true },
        { name: 'c', type: 'number', min: 0, max: 1, bins: 3, null: true },
      ],
    }),
  );
  const heard = async (rows: number, unit: Unit): Promise<unknown[]> => {
    const values = Array.from({ length: rows }, (_, i) => (i % 5 === 4 ? null : String(i % 3)));
    const name = await store({ a: values, b: values, c: values, who: values.map((_, i) => `p${i % 7}`) });
    const said: unknown[] = [];
    const connection = await postgresConnection({ login: owner.login, shown: 'here' });
    const relation = { shown: 'here', sql: name, columns: await connection.columns(name), isPrivate: true };
    const listening = {
      ...connection,
      query: (sql: string, options: Parameters<typeof connection.query>[1]) => {
        said.push(sql.replaceAll(name, 'TABLE'));
        return connection.query(sql, options);
      },
    };
    const source = await sqlSource(listening, relation, domain, { dataset: 'test', unit, random: seeded(1) });
    const running = { onProgress: (event: unknown) => said.push(event) };
    await source.counts([marginal('a', 'b'), marginal('c')], running);
    await source.counts([marginal()], running);
    if (unit.kind === 'row') await source.units();
    await source.close();
    return said;
  };
  for (const unit of [ROW, { kind: 'id', column: 'who', maxRecords: 2 } as const]) {
    const none = await heard(0, unit);
    expect(none.length).toBeGreaterThan(3);
    for (const rows of [1, 2, 500]) expect(await heard(rows, unit)).toEqual(none);
  }
});

test('rows without a place or an id are refused before any count, in a sentence that holds nothing of them', async () => {
  const domain = domainFromSchema(
    parseSchema({
      surmise: 1,
      origin: { kind: 'declared' },
      attributes: [{ name: 'sex', type: 'category', values: ['f', 'm'] }],
    }),
  );
  const open = async (columns: Readonly<Record<string, readonly (string | null)[]>>, unit: Unit) =>
    postgresSource(owner.login, await store(columns), domain, { dataset: 'test', unit, random: seeded(1) });
  const id: Unit = { kind: 'id', column: 'who', maxRecords: 1 };
  const refused: [() => Promise<unknown>, RegExp][] = [
    [
      () => open({ sex: ['f', 'SECRET'] }, ROW),
      /^(?!.*SECRET).*column "sex": holds a value that the schema has no cell for/,
    ],
    [() => open({ sex: ['f', null] }, ROW), /column "sex"/],
    [() => open({ sex: ['f'], who: [null] }, id), /column "who": is empty in a row/],
    [() => open({ sex: ['f'], who: [''] }, id), /column "who": is empty in a row/],
    [() => open({ sex: ['f'] }, id), /must have the column "who"/],
    [() => open({ sez: ['f'] }, ROW), /^(?!.*sez).*must have the column "sex"/],
    [
      () => open({ sex: ['f'] }, { kind: 'household', column: 'who', maxRecords: 2 }),
      /a household or a person is protected in a table with households/,
    ],
  ];
  for (const [opening, message] of refused) await expect(opening()).rejects.toThrow(message);
});
