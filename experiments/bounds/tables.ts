import type { Table } from '../../src/domain/table.js';
import { sampleMarginals } from '../../src/query/workload/sample-marginals.js';
import { seeded } from '../../src/random/seeded.js';
import { loadCodes } from '../data/load-codes.js';
import { rowsWhere } from '../data/pick-rows.js';
import { loadSetting, type SettingName, settingNames } from '../reweighting/settings.js';
import { type MadeName, madeNames, madeTable } from './made-tables.js';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Columns of the four tables of Private-PGM's Table 1 that are asked about: all of the two small ones, and parts of the others. */
const columnsOf = {
  titanic: undefined,
  adult: undefined,
  loans: words(
    'term grade sub_grade emp_length home_ownership verification_status loan_status purpose addr_state delinq_2yrs pub_rec int_rate dti',
  ),
  stroke: words('AGE SEX RSLEEP RATRIAL RCONSC RVISINF RCT RDEF1 RDEF2 RDEF3 RDEF4 STYPE RXASP RXHEP OCCODE RSBP'),
} as const;
type CodesName = keyof typeof columnsOf;

/** Parts of public tables, which methods may be tuned on, beside the tables that are claimed about. */
export const rehearsalNames = ['across time, before', 'across states, before', 'massachusetts, before'] as const;
type RehearsalName = (typeof rehearsalNames)[number];

export const tableNames = [...madeNames, ...(Object.keys(columnsOf) as CodesName[]), ...settingNames] as const;
export type TableName = (typeof tableNames)[number] | RehearsalName;

/** A private table, a public one over the same domain, and triples to ask for. */
export interface CoverageTables {
  readonly publicTable: Table;
  readonly privateTable: Table;
  readonly triples: readonly (readonly string[])[];
}

/** Triples that are asked for, at most, and their cells at most. */
const [mostTriples, tripleCells] = [40, 5000];

const isIn = <T extends string>(names: readonly T[], name: string): name is T => names.includes(name as T);

/** Every tenth row plays the public table, for the mechanisms that take one. */
const tenth = (table: Table): Omit<CoverageTables, 'triples'> => ({
  publicTable: rowsWhere(table, (row) => row % 10 === 0),
  privateTable: rowsWhere(table, (row) => row % 10 !== 0),
});

const tablesOf = async (name: TableName, data: string): Promise<Omit<CoverageTables, 'triples'>> => {
  if (isIn<MadeName>(madeNames, name))
    return { publicTable: madeTable(name, 2000, 1), privateTable: madeTable(name, 10_000, 2) };
  if (isIn<SettingName>(settingNames, name)) return loadSetting(name, data);
  if (isIn<RehearsalName>(rehearsalNames, name))
    return (await loadSetting(name.slice(0, -', before'.length) as SettingName, data)).rehearsal;
  return tenth(loadCodes(data, `pgm-four/${name}`, columnsOf[name]));
};

export const loadCoverage = async (name: TableName, data: string): Promise<CoverageTables> => {
  const tables = await tablesOf(name, data);
  const { queries } = sampleMarginals(tables.privateTable.domain, 3, mostTriples, seeded(55), {
    maxCells: tripleCells,
  });
  return {
    ...tables,
    triples: queries.map(({ query }) => (query.kind === 'marginal' ? [...query.attributes] : [])),
  };
};
