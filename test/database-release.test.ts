import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killedFiles, killedReleases } from '../experiments/audit/killed-releases.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import { domainFromSchema, parseSchema } from '../src/domain/schema/parse-schema.js';
import { supportOf } from '../src/model/support/support.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import type { Relation } from '../src/query/relation.js';
import type { Unit } from '../src/query/unit.js';
import { seeded } from '../src/random/seeded.js';
import { anyMechanismNamed, mechanisms } from '../src/release/registry.js';
import { settingsOf } from '../src/release/settings.js';
import { memorySource } from '../src/source/memory-source.js';
import type { PrivateSource } from '../src/source/source.js';
import { databaseOwner, type Owner, postgresSource } from './support/postgres-table.js';

const files = killedFiles();
const schema = parseSchema(JSON.parse(files['schema.json']));
const domain = domainFromSchema(schema);
const columnsOf = (csv: string): Record<string, string[]> => {
  const [names, ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return Object.fromEntries(names.map((name, i) => [name, rows.map((row) => row[i])]));
};
const table = encodeTable(domain, columnsOf(files['private.csv']));
const publicTable = encodeTable(domain, columnsOf(files['public.csv']));
const budget = { epsilon: 3, delta: 1e-6 };

let owner: Owner;
let name: string;
beforeAll(async () => {
  owner = await databaseOwner();
  name = await owner.write(table, seeded(1));
  await owner.client.query(`CREATE VIEW owned AS SELECT *, (row_number() OVER () % 500)::text AS who FROM ${name}`);
});
afterAll(() => owner.end());

/** Asks both, and finds no difference; what is counted, and how often. */
const both = (one: PrivateSource, two: PrivateSource): { source: PrivateSource; asked: () => number } => {
  let asked = 0;
  return {
    asked: () => asked,
    source: {
      ...one,
      counts: async (marginals, running) => {
        const found = await one.counts(marginals, running);
        expect(found).toEqual(await two.counts(marginals));
        asked += marginals.length;
        return found;
      },
      units: async () => {
        const units = await one.units();
        expect(units).toBe(await two.units());
        return units;
      },
    },
  };
};

const releaseBy = async (mechanismName: string, settings: Record<string, unknown>, relation: Relation, unit: Unit) => {
  const ids = Array.from({ length: table.length }, (_, i) => String((i + 1) % 500));
  const memory = await memorySource({
    table,
    dataset: 'test',
    threads: 1,
    unit,
    ...(unit.kind === 'id' ? { ids, random: seeded(1) } : {}),
  });
  const counted = await postgresSource(owner.login, unit.kind === 'id' ? 'owned' : name, domain, {
    dataset: 'test',
    unit,
    random: seeded(1),
  });
  const { source, asked } = both(counted, memory);
  const session = openSession({
    source,
    budget,
    relation,
    ledger: await memoryLedger(budgetOf(budget), 'test', { relation, unit }),
    entropy: seededEntropy(3),
  });
  const mechanism = anyMechanismNamed(mechanismName);
  const run = { random: seeded(1), threads: 1, publicTable };
  try {
    await mechanism.release(session, supportOf(publicTable), run as never, settingsOf(mechanism, settings as never));
    return asked();
  } finally {
    await counted.close();
    await memory.close();
  }
};

const flat = killedReleases.filter(({ name: own }) => mechanisms.some((one) => one.name === own));
const settingsIn = (words: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    words
      .filter((_, i) => words[i - 1] === '--set')
      .map((set) => set.split('='))
      .map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]),
  );

describe('a whole release counted in PostgreSQL is counted as in memory', () => {
  test.each(flat)('by $name', async ({ name: own, words }) => {
    // A network learns slowly, and counts alike in every round.
    const settings = own === 'gem' ? { rounds: 2, batch: 20, steps: 2 } : settingsIn(words);
    const asked = await releaseBy(own, settings, 'add-remove', { kind: 'row', maxRecords: 1 });
    expect(asked).toBeGreaterThan(0);
  });

  test('under replacement, and for ids within their bound', async () => {
    expect(await releaseBy('mst', {}, 'replace-one', { kind: 'row', maxRecords: 1 })).toBeGreaterThan(0);
    const unit: Unit = { kind: 'id', column: 'who', maxRecords: 2 };
    for (const relation of ['add-remove', 'replace-one'] as const)
      expect(await releaseBy('mst', {}, relation, unit)).toBeGreaterThan(0);
  });
});
