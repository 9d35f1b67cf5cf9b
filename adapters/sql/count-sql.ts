import { stridesOf } from '../../src/domain/cell-index.js';
import { type Cover, coverSets } from '../../src/query/joint/cover.js';
import { familiesOf } from '../../src/source/count-tasks.js';
import { cellSql, jointBits } from './codes-sql.js';
import type { SqlValue } from './connection.js';
import type { Dialect, JointColumn } from './dialect.js';

/** Joint tables that one query counts. */
export interface CountBatch {
  readonly covers: readonly Cover[];
  /** The attributes that it needs, by number, ascending. */
  readonly attributes: readonly number[];
}

/** A joint table of so many cells or fewer is counted for several sets of attributes that are summed out of it here. */
const coverCells = 2 ** 16;
/** Cells of the joint tables of one query: what crosses the wire at most, what is held here meanwhile, and, some hundred bytes each, what an engine hashes. */
const batchCells = 2 ** 19;

/** Joint tables of households that one query counts: each takes a sort of the rows. */
export const holdingsAtOnce = ({ setsAtOnce }: Pick<Dialect, 'setsAtOnce'>): number => Math.min(8, setsAtOnce);

/** Sets that may be summed out of one joint table have the same name; all may unless told. */
type Family = (set: readonly number[]) => string;

/** Which joint tables to count, several in one pass. The plan is the same for any rows. */
export const planBatches = (
  { setsAtOnce }: Pick<Dialect, 'setsAtOnce'>,
  sets: readonly (readonly number[])[],
  sizes: readonly number[],
  family?: Family,
): CountBatch[] => {
  const batches: Cover[][] = [];
  let cells = 0;
  const covers = familiesOf(sets, family).flatMap((members) => {
    const own = members.map((position) => sets[position]);
    const found = coverSets(own, sizes, { limit: coverCells, alone: coverCells });
    return found.map((cover) => ({ ...cover, wanted: cover.wanted.map((place) => members[place]) }));
  });
  for (const cover of covers) {
    const last = batches.at(-1);
    if (last !== undefined && last.length < setsAtOnce && cells + cover.cells <= batchCells) {
      last.push(cover);
      cells += cover.cells;
    } else {
      batches.push([cover]);
      cells = cover.cells;
    }
  }
  return batches.map((covers) => ({
    covers,
    attributes: [...new Set(covers.flatMap(({ attributes }) => attributes))].sort((a, b) => a - b),
  }));
};

/** The query that counts a batch in one pass, of one for the codes of its attributes. */
export const batchSql = (dialect: Dialect, batch: CountBatch, sizes: readonly number[], codes: string): string => {
  const columns = columnsOf(batch);
  const joint = jointSql(dialect, batch, columns, sizes);
  return dialect.counts(columns, `(SELECT ${joint.join(', ')} FROM (${codes}) AS kept${dialect.fence}) AS joint`);
};

/**
 * The same in households, by the column `id` of the codes: of the persons of a household that are in one cell one counts, and the others are put into a cell
 * beyond the last one (`tablesFor` has it and leaves it out).
 */
export const holdingsSql = (dialect: Dialect, batch: CountBatch, sizes: readonly number[], codes: string): string => {
  const columns = columnsOf(batch, 1);
  const joint = jointSql(dialect, batch, columns, sizes);
  const from = `(SELECT ${['id', ...joint].join(', ')} FROM (${codes}) AS kept${dialect.fence}) AS joint`;
  const once = columns.map(({ name, bits }, i) => {
    const isFirst = `row_number() OVER (PARTITION BY id, ${name} ORDER BY ${name}) = 1`;
    return `${dialect.toInteger(`CASE WHEN ${isFirst} THEN ${name} ELSE ${batch.covers[i].cells} END`, bits)} AS o${i}`;
  });
  return dialect.counts(
    columns.map(({ bits }, i) => ({ name: `o${i}`, bits })),
    `(SELECT ${once.join(', ')} FROM ${from}${dialect.fence}) AS once`,
  );
};

/** The columns of joint cells, with room for so many more cells. */
const columnsOf = ({ covers }: CountBatch, more = 0): JointColumn[] =>
  covers.map(({ cells }, i) => ({ name: `c${i}`, bits: jointBits(cells + more) }));

const jointSql = (
  dialect: Dialect,
  { covers }: CountBatch,
  columns: readonly JointColumn[],
  sizes: readonly number[],
): string[] =>
  covers.map(({ attributes }, i) => {
    const { name, bits } = columns[i];
    const cell = cellSql(
      attributes,
      attributes.map((at) => sizes[at]),
    );
    return `${dialect.toInteger(bits === 64 ? dialect.toInteger(cell, 64) : cell, bits)} AS ${name}`;
  });

/** The same by a GROUP BY for each joint table, in one query; `codes` is the query for the codes of some attributes, `packed` one for a joint table's own counts, if there is a faster one. */
export const apartSql = (
  dialect: Dialect,
  { covers }: CountBatch,
  sizes: readonly number[],
  codes: (attributes: readonly number[]) => string,
  packed: (cover: Cover) => string | undefined,
): string =>
  covers
    .map((cover, i) => {
      const { attributes, cells } = cover;
      const counts = packed(cover);
      if (counts !== undefined) return `SELECT ${i} AS place, cell, n FROM (${counts}) AS own`;
      const own = attributes.map((at) => sizes[at]);
      const cell = dialect.toInteger(cellSql(attributes, own), jointBits(cells));
      return `SELECT ${i} AS place, cell, count(*) AS n FROM (SELECT ${cell} AS cell FROM (${codes(attributes)}) AS codes) AS cells GROUP BY cell`;
    })
    .join(' UNION ALL ');

/** Joint tables that the rows of a batch's result are put into; what is counted in `more` cells beyond the last one is left out. */
export const tablesFor = ({ covers }: CountBatch, more = 0) => {
  const tables = covers.map(({ cells }) => new Float64Array(cells + more));
  return {
    tables: tables.map((table, i) => table.subarray(0, covers[i].cells)),
    put: ([place, cell, rows]: readonly SqlValue[]): void => {
      const table = tables[Number(place)];
      const at = Number(cell);
      if (cell === null || table === undefined || !(at >= 0 && at < table.length))
        throw new Error('counts: every cell must be one of its joint table, got another from the engine');
      table[at] += Number(rows);
    },
  };
};

/** Tables of some attributes of a cover, summed out of its joint table; the attributes of a set ascend. Cells without rows, which are most of them, are passed over once for all sets. */
export const summedOut = (table: Float64Array, { attributes }: Cover, sizes: readonly number[]) => {
  const strides = stridesOf(attributes.map((at) => sizes[at]));
  let taken: number[] | undefined;
  return (set: readonly number[]): Float64Array => {
    if (set.length === attributes.length) return table;
    if (taken === undefined) {
      taken = [];
      for (let cell = 0; cell < table.length; cell++) if (table[cell] !== 0) taken.push(cell);
    }
    const result = new Float64Array(set.reduce((cells, at) => cells * sizes[at], 1));
    const axes = set.map((at) => ({ stride: strides[attributes.indexOf(at)], size: sizes[at] }));
    for (const cell of taken) {
      let place = 0;
      for (const { stride, size } of axes) place = place * size + (Math.floor(cell / stride) % size);
      result[place] += table[cell];
    }
    return result;
  };
};
