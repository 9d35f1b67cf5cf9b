import { stridesOf } from '../../src/domain/cell-index.js';
import { type Cover, coverSets } from '../../src/query/joint/cover.js';
import { bitsFor, cellSql } from './codes-sql.js';
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

/** Which joint tables to count, several in one pass. The plan is the same for any rows. */
export const planBatches = (
  dialect: Dialect,
  sets: readonly (readonly number[])[],
  sizes: readonly number[],
): CountBatch[] => {
  const batches: Cover[][] = [];
  let cells = 0;
  for (const cover of coverSets(sets, sizes, { limit: coverCells, alone: coverCells })) {
    const last = batches.at(-1);
    if (last !== undefined && last.length < dialect.setsAtOnce && cells + cover.cells <= batchCells) {
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
export const batchSql = (dialect: Dialect, { covers }: CountBatch, sizes: readonly number[], codes: string): string => {
  const columns = covers.map(({ cells }, i): JointColumn => ({ name: `c${i}`, bits: jointBits(cells) }));
  const joint = covers.map(({ attributes }, i) => {
    const { name, bits } = columns[i];
    const cell = cellSql(
      attributes,
      attributes.map((at) => sizes[at]),
    );
    return `${dialect.toInteger(bits === 64 ? dialect.toInteger(cell, 64) : cell, bits)} AS ${name}`;
  });
  const from = `(SELECT ${joint.join(', ')} FROM (${codes}) AS kept${dialect.fence}) AS joint`;
  return dialect.counts(columns, from);
};

/** The same by a GROUP BY for each joint table, in one query; `codes` is the query for the codes of some attributes. */
export const apartSql = (
  dialect: Dialect,
  { covers }: CountBatch,
  sizes: readonly number[],
  codes: (attributes: readonly number[]) => string,
): string =>
  covers
    .map(({ attributes, cells }, i) => {
      const own = attributes.map((at) => sizes[at]);
      const cell = dialect.toInteger(cellSql(attributes, own), jointBits(cells));
      return `SELECT ${i} AS place, cell, count(*) AS n FROM (SELECT ${cell} AS cell FROM (${codes(attributes)}) AS codes) AS cells GROUP BY cell`;
    })
    .join(' UNION ALL ');

const jointBits = (cells: number): JointColumn['bits'] => {
  const bits = bitsFor(cells);
  return bits === 8 ? 16 : bits;
};

/** Joint tables that the rows of a batch's result are put into. */
export const tablesFor = ({ covers }: CountBatch) => {
  const tables = covers.map(({ cells }) => new Float64Array(cells));
  return {
    tables,
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
