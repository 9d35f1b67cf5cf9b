import type { Table } from '../../src/domain/table.js';
import { sampleMarginals } from '../../src/query/workload/sample-marginals.js';
import type { Workload } from '../../src/query/workload/workload.js';
import type { Random } from '../../src/random/random.js';
import { seeded } from '../../src/random/seeded.js';
import { uniform, uniformInteger } from '../../src/random/uniform.js';
import { loadCodes } from '../data/load-codes.js';
import { rowsAt } from '../data/pick-rows.js';

export const adultAttributes = [
  'sex',
  'income>50K',
  'race',
  'relationship',
  'marital-status',
  'workclass',
  'occupation',
  'education-num',
  'native-country',
  'capital-gain',
  'capital-loss',
  'hours-per-week',
  'age_10',
];

/** Rows with replacement; females are drawn with their share in the table, plus the bias. */
const draw = (table: Table, rows: number, random: Random, bias = 0): Table => {
  const [sex] = table.columns;
  const groups: number[][] = [[], []];
  for (let row = 0; row < table.length; row++) groups[sex[row]].push(row);
  const [females, males] = groups[0].length < groups[1].length ? groups : [groups[1], groups[0]];
  const share = females.length / table.length + bias;
  return rowsAt(
    table,
    Uint32Array.from({ length: rows }, () => {
      const from = uniform(random) < share ? females : males;
      return from[uniformInteger(random, from.length)];
    }),
  );
};

export interface AdultTables {
  readonly privateTable: Table;
  readonly publicTable: Table;
  readonly workload: Workload;
}

/** The tables of a run: samples of 0.9 N and 0.1 N rows, other ones when parameters are tuned. The private one is the same for every bias. */
export const adultTables = (data: string, seed: number, tuning: boolean, bias: number): AdultTables => {
  const table = loadCodes(data, 'pmw-adult', adultAttributes);
  const random = seeded(1000 * seed + (tuning ? 500 : 0) + 1);
  const privateTable = draw(table, Math.round(0.9 * table.length), random);
  const publicTable = draw(table, Math.round(0.1 * table.length), random, bias);
  return { privateTable, publicTable, workload: sampleMarginals(table.domain, 3, 256, seeded(256)) };
};
