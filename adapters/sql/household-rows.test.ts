import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClickHouse } from '../../bench/engines/chdb.js';
import type { Columns } from '../../src/domain/encode/encode-table.js';
import { encodeHouseholds } from '../../src/domain/households/encode-households.js';
import { settles } from '../../src/domain/households/settles.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import { domainFromSchema, parseSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { holding } from '../../src/query/holding.js';
import { marginal } from '../../src/query/marginal.js';
import type { Unit } from '../../src/query/unit.js';
import { seeded } from '../../src/random/seeded.js';
import { uniformInteger } from '../../src/random/uniform.js';
import { memorySource } from '../../src/source/memory-source.js';
import type { PrivateSource } from '../../src/source/source.js';
import { databaseOwner, type Owner } from '../../test/support/postgres-table.js';
import { clickhouseConnection } from '../clickhouse/connection.js';
import { postgresConnection } from '../postgres/connection.js';
import type { Connection } from './connection.js';
import { databaseSource } from './open-database-table.js';

let owner: Owner;
let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
beforeAll(async () => {
  owner = await databaseOwner();
  clickhouse = await startClickHouse();
});
afterAll(async () => {
  await owner.end();
  await clickhouse?.close();
});

type Texts = Readonly<Record<string, readonly string[]>>;

const village = (rule: 'exclude' | 'trim' = 'exclude', more: object = {}): Schema =>
  parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'region', type: 'category', values: ['north', 'south', 'west'] },
      { name: 'rooms', type: 'integer', min: 1, max: 5 },
      { name: 'age', type: 'integer', edges: [0, 18, 65, 120] },
      { name: 'sex', type: 'category', values: ['f', 'm'] },
    ],
    twoLevel: { key: 'home', household: ['region', 'rooms'], maxSize: 4, rule, size: 'persons' },
    ...more,
  });

/** Households of 1 to 6 persons, in a mixed order; of those with more than four all persons are alike where `alike` says so. */
const people = (count: number, seed: number, alike = false): { persons: Texts; homes: Texts; both: Texts } => {
  const random = seeded(seed);
  const one = (...values: readonly string[]): string => values[uniformInteger(random, values.length)];
  const homes = Array.from({ length: count }, (_, i) => ({
    home: `h${i}`,
    region: one('north', 'south', 'west'),
    rooms: one('1', '2', '3', '4', '5'),
    size: 1 + uniformInteger(random, 6),
  }));
  const rows = homes.flatMap((home) => {
    const draw = () => ({ ...home, age: String(uniformInteger(random, 110)), sex: one('f', 'm') });
    const first = draw();
    return Array.from({ length: home.size }, () => (alike && home.size > 4 ? first : draw()));
  });
  rows.sort((a, b) => (`${a.age}${a.home}` < `${b.age}${b.home}` ? -1 : 1));
  const columns = (from: readonly object[], ...names: string[]): Texts =>
    Object.fromEntries(names.map((name) => [name, from.map((row) => (row as Record<string, string>)[name])]));
  return {
    persons: columns(rows, 'home', 'age', 'sex'),
    homes: columns(homes, 'home', 'region', 'rooms'),
    both: columns(rows, 'home', 'region', 'rooms', 'age', 'sex'),
  };
};

let tables = 0;
const engines = [
  {
    name: 'PostgreSQL',
    connect: (): Promise<Connection> => postgresConnection({ login: owner.login, shown: 'here' }),
    write: async (columns: Texts): Promise<string> => {
      const name = `village${++tables}`;
      const names = Object.keys(columns);
      await owner.client.query(`CREATE TABLE ${name} (${names.map((one) => `"${one}" text`).join(', ')})`);
      await owner.client.query(
        `INSERT INTO ${name} SELECT * FROM unnest(${names.map((_, i) => `$${i + 1}::text[]`).join(', ')})`,
        names.map((one) => [...columns[one]]),
      );
      return name;
    },
  },
  {
    name: 'ClickHouse',
    connect: (): Promise<Connection> =>
      clickhouseConnection({ url: new URL(`http://127.0.0.1:${clickhouse!.port}`), shown: 'here', isFixed: true }),
    write: async (columns: Texts): Promise<string> => {
      const name = `village${++tables}`;
      const names = Object.keys(columns);
      await clickhouse!.run(
        `CREATE TABLE ${name} (${names.map((one) => `${one} Nullable(String)`).join(', ')}) ENGINE = MergeTree ORDER BY tuple()`,
      );
      const rows = columns[names[0]].map((_, i) => `(${names.map((one) => `'${columns[one][i]}'`).join(', ')})`);
      await clickhouse!.run(`INSERT INTO ${name} VALUES ${rows.join(', ')}`);
      return name;
    },
  },
];

const open = async (
  { connect, write }: (typeof engines)[number],
  schema: Schema,
  { persons, homes }: { persons: Texts; homes?: Texts | undefined },
  options: { outside?: Outside; unit?: Unit | undefined; seed?: number } = {},
) => {
  const [own, other] = [await write(persons), homes && (await write(homes))];
  // What it sees is the state of its beginning.
  const connection = await connect();
  const relation = async (sql: string) => ({
    shown: sql,
    sql,
    columns: await connection.columns(sql),
    isPrivate: true,
  });
  return databaseSource(connection, await relation(own), schema, {
    ...options,
    random: seeded(options.seed ?? 1),
    homes: other === undefined ? undefined : await relation(other),
  });
};

const inMemory = async (
  schema: Schema,
  { persons, homes }: { persons: Texts; homes?: Texts | undefined },
  { outside, unit }: { outside?: Outside; unit?: Unit | undefined } = {},
): Promise<PrivateSource> => {
  const domain = domainFromSchema(schema);
  const columns = { persons: persons as Columns, households: homes as Columns | undefined };
  const { table, keys } = encodeHouseholds(domain, 'home', columns, { outside });
  return memorySource({
    table,
    ids: keys,
    unit,
    dataset: 'test',
    rule: schema.twoLevel!.rule,
    random: seeded(1),
    firstSpeaks: settles(outside),
    threads: 1,
  });
};

const sets = [
  [],
  ['region'],
  ['persons'],
  ['sex'],
  ['region', 'persons'],
  ['rooms', 'sex'],
  ['age', 'region'],
  ['sex', 'age', 'persons'],
  ['region', 'rooms', 'age', 'sex', 'persons'],
];

const expectSame = async (one: PrivateSource, two: PrivateSource): Promise<void> => {
  const marginals = sets.map((names) => marginal(...names));
  const holdings = sets.map((names) => holding(...names));
  expect(await one.counts(marginals)).toEqual(await two.counts(marginals));
  expect(await one.holdings!(holdings)).toEqual(await two.holdings!(holdings));
  expect(await one.units()).toBe(await two.units());
};

test.each(engines)('$name counts households and persons as memory does, of one table and of two', async (engine) => {
  if (engine.name === 'ClickHouse' && clickhouse === undefined) return;
  const { persons, homes, both } = people(60, 3);
  const constrained = village('exclude', { constraints: [{ forbid: "age < 18 AND region = 'west'" }] });
  for (const schema of [village(), constrained])
    for (const tables of [{ persons: both }, { persons, homes }])
      for (const unit of [undefined, { kind: 'person', maxRecords: 1 } as const]) {
        const source = await open(engine, schema, tables, { unit });
        await expectSame(source, await inMemory(schema, tables, { unit }));
        await source.close();
      }
});

test.each(engines)('$name keeps as many persons of a household as it may have, where it is trimmed', async (engine) => {
  if (engine.name === 'ClickHouse' && clickhouse === undefined) return;
  // Which of several that are alike are kept makes no difference.
  const { both } = people(50, 4, true);
  const source = await open(engine, village('trim'), { persons: both });
  await expectSame(source, await inMemory(village('trim'), { persons: both }));
  await source.close();
  // Of others it is a matter of the key: the same one keeps the same persons, whatever the order of the rows.
  const drawn = people(50, 5).both;
  const turned = Object.fromEntries(Object.entries(drawn).map(([name, column]) => [name, column.toReversed()]));
  const counts = async (rows: Texts, seed: number) => {
    const own = await open(engine, village('trim'), { persons: rows }, { seed });
    const found = await own.counts([marginal('region', 'rooms', 'age', 'sex', 'persons')]);
    await own.close();
    return found;
  };
  expect(await counts(turned, 1)).toEqual(await counts(drawn, 1));
  expect(await counts(drawn, 2)).not.toEqual(await counts(drawn, 1));
});

test.each(engines)(
  '$name settles what contradicts itself household by household, under a rule for it',
  async (engine) => {
    if (engine.name === 'ClickHouse' && clickhouse === undefined) return;
    // Rows lie in the order of their cells, so that the first row is the one with the least.
    const persons = {
      home: ['a', 'a', 'b', 'stray'],
      age: ['3', '30', '40', '50'],
      sex: ['f', 'm', 'f', 'm'],
    };
    const homes = { home: ['a', 'a', 'b'], region: ['north', 'south', 'west'], rooms: ['1', '2', '3'] };
    const both = {
      home: ['a', 'a', 'b'],
      region: ['north', 'west', 'west'],
      rooms: ['2', '3', '3'],
      age: ['3', '30', '40'],
      sex: ['f', 'm', '?'],
    };
    for (const tables of [{ persons, homes }, { persons: both }]) {
      const source = await open(engine, village(), tables, { outside: 'clip' });
      await expectSame(source, await inMemory(village(), tables, { outside: 'clip' }));
      await source.close();
    }
  },
);

test('contradictions are refused before any count, in a sentence that holds nothing of them', async () => {
  const [engine] = engines;
  const persons = { home: ['a', 'SECRET'], age: ['3', '30'], sex: ['f', 'm'] };
  const homes = { home: ['a', 'SECRET'], region: ['north', 'south'], rooms: ['1', '2'] };
  const both = { home: ['a', 'a'], region: ['north', 'SECRET'], rooms: ['1', '1'], age: ['3', '4'], sex: ['f', 'f'] };
  const refused: [Parameters<typeof open>[2], RegExp][] = [
    [{ persons, homes: { ...homes, home: ['a', 'a'] } }, /must have a key of its own, got two rows/],
    [{ persons, homes: { ...homes, home: ['a', 'c'] } }, /every key must be one of the table of households/],
    [{ persons: { ...persons, home: ['a', ''] }, homes }, /column "home": is empty in a row/],
    [{ persons: both }, /column "region": holds a value that the schema has no cell for/],
    [{ persons: { ...both, region: ['north', 'south'] } }, /column "region": must be the same for all persons/],
    [{ persons }, /must have the column "region"/],
  ];
  for (const [tables, message] of refused) {
    const opening = open(engine, village(), tables);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow(/SECRET/);
  }
});
