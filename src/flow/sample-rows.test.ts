import { describe, expect, test } from 'vitest';
import { brokenLoan, loansLike, loansSchema } from '../../experiments/constrained/made-up.js';
import { decodeTable } from '../domain/encode/decode-table.js';
import { encodeTable } from '../domain/encode/encode-table.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import { zeroFactors } from '../estimate/graphical/zeros.js';
import { graphicalModel } from '../model/graphical/graphical-model.js';
import { junctionTree } from '../model/graphical/tree/junction-tree.js';
import type { Model } from '../model/model.js';
import { supportOf } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import { seeded } from '../random/seeded.js';
import { sampleRows } from './sample-rows.js';

const domain = domainFromSchema(loansSchema);
const made = loansLike(400, 1, { isBroken: false });
const columns = Object.fromEntries(Object.keys(made[0]).map((name) => [name, made.map((row) => row[name])]));
const zeros = zeroFactors(domain);
const models: readonly [string, Model][] = [
  ['a support', supportModel(supportOf(encodeTable(domain, columns)), 400)],
  [
    'a graphical model',
    graphicalModel(
      junctionTree(
        domain,
        zeros.map(({ attributes }) => attributes),
      ),
      zeros,
      400,
    ),
  ],
];

describe.each(models)('rows of %s', (_, model) => {
  const decoded = async (options: Parameters<typeof sampleRows>[1]) => {
    const sampled = await sampleRows(model, options);
    const values = decodeTable(sampled.table, { random: seeded(3), pinned: sampled.pinned });
    const rows = values.age.map((_age, i) =>
      Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all[i]])),
    );
    return { ...sampled, rows };
  };

  test('meet a condition, within bins too, and keep every constraint of the schema', async () => {
    const where = "sex = 'f' AND age < 12 AND sub_grade <> 'A1'";
    const { rows, expected } = await decoded({ where, rows: 500, random: seeded(2) });
    expect(expected).toBeGreaterThan(0);
    expect(rows).toHaveLength(500);
    for (const row of rows) {
      expect(brokenLoan(row)).toBeUndefined();
      expect(row.sex === 'f' && Number(row.age) < 12 && row.sub_grade !== 'A1').toBe(true);
    }
  });

  test('fill the rest of given rows, in their order and with their values', async () => {
    const given = { funded: ['12', '3', '12', '29'], sub_grade: ['B1', 'A2', 'A1', 'B1'] };
    const { rows } = await decoded({ given, random: seeded(4) });
    expect(rows.map(({ funded }) => funded)).toEqual([12, 3, 12, 29]);
    expect(rows.map(({ sub_grade }) => sub_grade)).toEqual(given.sub_grade);
    expect(rows.map(brokenLoan)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('are the same for the same seed, and refused with a word where they cannot be', async () => {
    const where = 'age >= 20';
    expect((await decoded({ where, rows: 50, random: seeded(9) })).rows).toEqual(
      (await decoded({ where, rows: 50, random: seeded(9) })).rows,
    );
    const random = seeded(1);
    await expect(sampleRows(model, { where: "age < 15 AND marital = 'married'", rows: 1, random })).rejects.toThrow(
      /where: a condition|must be possible under the model/,
    );
    await expect(sampleRows(model, { where: 'agee < 3', random })).rejects.toThrow(
      'where: SQL 1:1: there is no column "agee"; did you mean age?',
    );
    await expect(sampleRows(model, { given: { sexx: ['f'] }, random })).rejects.toThrow(
      'given: must have columns of the release, got "sexx"; did you mean "sex"?',
    );
    await expect(sampleRows(model, { given: { zzz: ['f'] }, random })).rejects.toThrow('got "zzz"; leave it out');
    await expect(sampleRows(model, { given: {}, random })).rejects.toThrow('given: must have a row');
    await expect(sampleRows(model, { given: { job: ['cook', null, 'coook'] }, random })).rejects.toThrow(
      /^given: row 3: a value of "job" must be one that the column can have/,
    );
    await expect(
      sampleRows(model, { given: { region: ['south', 'north'], sub_grade: ['A1', 'B1'] }, random }),
    ).rejects.toThrow(/^given: row 2: must be possible under the model/);
    await expect(sampleRows(model, { given: { sex: ['f'] }, rows: 3, random })).rejects.toThrow(
      /^rows: are as many as were given/,
    );
  });
});
