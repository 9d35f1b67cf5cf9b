import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sparkConnection } from '../../adapters/spark/connection.js';
import { spark } from '../../adapters/spark/dialect.js';
import type { Connection } from '../../adapters/sql/connection.js';
import { sqlSource } from '../../adapters/sql/sql-source.js';
import { marginal } from '../../src/query/marginal.js';
import { seeded } from '../../src/random/seeded.js';
import { expectCells } from '../support/engine-cells.js';
import { plainDomain, plainSource } from '../support/plain-source.js';
import { folderWith, surmise } from '../support/surmise.js';

/** The servers that `scripts/test-engines.mjs` has started: their names and ports. */
const servers = JSON.parse(process.env.SURMISE_SPARK ?? '[]') as { name: string; port: number }[];

const quoted = (values: readonly (string | null)[]): string[] =>
  values.map((value) => (value === null ? 'NULL' : spark.literal(value)));
const alike = (type: string, given: readonly (string | null)[]) => ({ type, values: quoted(given), given });

const types = {
  text: { type: 'STRING', literal: (text: string | null) => quoted([text])[0] },
  double: {
    type: 'DOUBLE',
    literal: (value: number | null) => quoted([value === null ? null : Object.is(value, -0) ? '-0' : String(value)])[0],
  },
  others: [
    alike('SMALLINT', ['0', '1', '-9', '12', '127', null]),
    alike('BIGINT', ['0', '-3', '9007199254740993', '-9223372036854775807', '4294967290', '99', null]),
    alike('DECIMAL(20,3)', ['0.100', '12.500', '12.000', '-9.000', null]),
    alike('BOOLEAN', ['true', 'false', null]),
    alike('DATE', ['2014-03-31', '1969-12-31', '0001-01-01', '9999-12-31', '1960-05-01', null]),
    alike('TIMESTAMP', ['2014-03-31 23:59:59', '1969-12-31 00:00:00', null]),
  ],
};

describe.each(servers)('$name', ({ name, port }) => {
  let connection: Connection;
  const connect = () => sparkConnection({ host: '127.0.0.1', port, tls: false, shown: name, isFixed: true });
  beforeAll(async () => {
    connection = await connect();
  });
  afterAll(() => connection.close());

  test('computes the cell of every value as the encoder does, whatever the type, the attribute and the rule', async () => {
    const compared = await expectCells(
      connection,
      types,
      (type, values) =>
        `(SELECT n, CAST(v AS ${type}) AS x FROM VALUES ${values.map((value, i) => `(${i}, ${value})`).join(', ')} AS t(n, v)) AS t`,
    );
    expect(compared).toBeGreaterThan(10_000);
  });

  test('counts every pair as a loop over the rows does, for rows and for ids', async () => {
    const sizes = [3, 7, 2, 40, 300];
    const domain = plainDomain(sizes);
    const random = seeded(7);
    const rows = Array.from({ length: 500 }, () => sizes.map((size) => random.uint32() % size));
    const from = `(SELECT * FROM VALUES ${rows.map((row, i) => `(${row.join(', ')}, 'p${i % 200}')`).join(', ')} AS t(a, b, c, d, e, who)) AS t`;
    const names = domain.attributes.map(({ name: one }) => one);
    const pairs = names.flatMap((one, i) => names.slice(i + 1).map((two) => marginal(one, two)));
    const expected = await plainSource(domain, rows).counts(pairs);
    for (const unit of [
      { kind: 'row', maxRecords: 1 } as const,
      { kind: 'id', column: 'who', maxRecords: 3 } as const,
    ]) {
      const own = await connect();
      const relation = { shown: name, sql: from, columns: await own.columns(from) };
      const source = await sqlSource(own, relation, domain, { dataset: 'test', unit, random: seeded(1) });
      // No id has more than three rows, so that all are kept.
      expect(await source.counts(pairs, {})).toEqual(expected);
      expect(await source.units()).toBe(unit.kind === 'row' ? 500 : 200);
      await source.close();
    }
  });

  test('makes a release of what an address and a query name, which verifies; what may change is refused', async () => {
    const colours = Array.from({ length: 400 }, (_, i) => ['red', 'green', 'blue'][(i * i) % 3]);
    const rows = colours.map((colour, i) => `('${colour}', ${i % 4 === 0})`);
    const folder = await folderWith({
      // Tables that a session makes are its own in some servers.
      'rows.sql': `SELECT colour, vip FROM VALUES ${rows.join(', ')} AS t(colour, vip)`,
      's.json': JSON.stringify({
        surmise: 1,
        origin: { kind: 'declared' },
        attributes: [
          { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
          { name: 'vip', type: 'boolean' },
        ],
      }),
    });
    const words = [
      '--query',
      'rows.sql',
      '--unit',
      'row',
      '--schema',
      's.json',
      '--epsilon',
      '20',
      '--ledger',
      'l.jsonl',
    ];
    const release = (extra: string) =>
      surmise(folder, 'release', `sc://127.0.0.1:${port}/?table=people${extra}`, ...words, '-o', 'out');
    const refused = expect.stringContaining('all counts must be of the same rows');
    expect(await release('')).toMatchObject({ code: 2, err: refused });
    expect(await release('&fixed=true')).toMatchObject({ code: 0, err: '' });
    expect(await surmise(folder, 'verify', 'out', '--ledger', 'l.jsonl')).toMatchObject({ code: 0 });
    const sql = "SELECT COUNT(*) AS n FROM data WHERE colour = 'red'";
    const { answers } = JSON.parse((await surmise(folder, 'query', 'out', sql, '--json')).out);
    const truth = colours.filter((colour) => colour === 'red').length;
    expect(Math.abs(answers[0].rows[0].values[0] - truth)).toBeLessThan(10);
  });

  test('ends a query there when it is told to', async () => {
    const long = 'SELECT sum(id) FROM range(0, 2000000000) WHERE id % 7 <> id % 11';
    const short = 'SELECT sum(id) FROM range(0, 1000) WHERE id % 7 <> id % 11';
    const takes = async (sql: string, signal?: AbortSignal): Promise<number> => {
      const start = performance.now();
      await connection.query(sql, { signal, onRow: () => undefined });
      return performance.now() - start;
    };
    const whole = await takes(long);
    // All cores are taken by the long query: a short one waits for its end. Spark overhears an interrupt while it begins a stage, hence several tries.
    let isFreed = false;
    for (let tries = 0; tries < 4 && !isFreed; tries++) {
      await expect(takes(long, AbortSignal.timeout(whole / 4))).rejects.toThrow(/timeout/);
      isFreed = (await takes(short)) < whole / 3;
    }
    expect(isFreed).toBe(true);
  });

  test('says nothing of the server but a code, and goes on', async () => {
    await expect(connection.columns('no_such_table_here')).rejects.toThrow(new RegExp(`^${name}: [^']*$`));
    const found: unknown[] = [];
    await connection.query("SELECT 1, CAST(2 AS BIGINT), 'x', NULL", { onRow: (row) => found.push(row) });
    expect(found).toEqual([[1, 2n, 'x', null]]);
  });
});

test('a server that is not there is said to be lost', async () => {
  const nobody = await sparkConnection({ host: '127.0.0.1', port: 1, tls: false, shown: 'nobody', patience: 100 });
  await expect(nobody.query('SELECT 1', { onRow: () => undefined })).rejects.toThrow(/connection was lost/);
  await expect(nobody.recover()).rejects.toThrow(/must be within reach/);
  await nobody.close();
});
