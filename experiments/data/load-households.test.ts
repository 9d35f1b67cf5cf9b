import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { householdWorkload } from '../../src/query/workload/household-workload.js';
import { workloadCells } from '../../src/query/workload/workload.js';
import { folderWith } from '../../test/support/surmise.js';
import { householdsSchema, loadHouseholds, smallHouseholdsSchema } from './load-households.js';

const files = {
  households:
    'hhID,SUBREG_GRP,SUBREGCluster,HHIncome,HHDwelling,HHChildren\n206,2,4,3,1,0\n207,44,1,2,1,0\n208,4,2,1,2,1\n',
  persons: `hhID,per_num,PAge,PGender,PEmp,POcc,PComm
206,1,8,1,2,1,workFromHome
206,2,0,2,NA,NA,NA
207,1,10,2,3,NA,NA
${[1, 2, 3, 4].map((number) => `208,${number},5,1,1,7,auto\n`).join('')}`,
};

it('the survey is read by either schema, with the households that it allows, and its workloads have their sizes', async () => {
  const dir = await folderWith({});
  mkdirSync(`${dir}/households`);
  for (const [name, text] of Object.entries(files)) writeFileSync(`${dir}/households/${name}.csv.gz`, gzipSync(text));
  for (const schema of [householdsSchema, smallHouseholdsSchema]) expect(parseSchema(schema)).toEqual(schema);
  const whole = await loadHouseholds(dir, householdsSchema);
  expect([...whole.offsets]).toEqual([0, 2, 3, 7]);
  const small = await loadHouseholds(dir, smallHouseholdsSchema);
  expect([...small.offsets]).toEqual([0, 2, 3]);
  // SUBREGCluster, HHIncome, HHDwelling, HHChildren, then PAge, PGender, PEmp, PComm.
  expect(small.columns.map((column) => [...column])).toEqual([
    [3, 3, 0],
    [2, 2, 1],
    [0, 0, 0],
    [0, 0, 0],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
    [1, 1, 1],
  ]);
  // Sums of products of three of 4, 3, 2, 2 | 2, 2, 2, 2, each set with both queries.
  expect(workloadCells(householdWorkload(small.domain), small.domain)).toBe(2 * (4 * 3 * 12 + 7 * 15 * 4 + 20 * 8));
});
