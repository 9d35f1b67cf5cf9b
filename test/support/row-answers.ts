import type { Domain } from '../../src/domain/domain.js';
import type { Block } from '../../src/query/block/block.js';
import type { Query } from '../../src/query/query.js';

/** A row as one cell for each attribute of the domain. */
export type Row = readonly number[];

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** What one row with this cell adds to each answer of a block: the meaning of the block, said a second time. */
const adds = (block: Block, size: number, cell: number): number[] => {
  switch (block.kind) {
    case 'keep':
      return upTo(size).map((value) => Number(value === cell));
    case 'sum':
      return [1];
    case 'value':
      return [Number(cell === block.cell)];
    case 'set':
      return [Number(block.cells.some((member) => member === cell))];
    case 'prefix':
      return upTo(size).map((bound) => Number(cell <= bound));
    case 'ranges':
      return block.ranges.map(([low, high]) => Number(low <= cell && cell <= high));
    case 'regroup':
      return upTo(block.size).map((group) => Number(block.groups[cell] === group));
    case 'mean':
      return [cell];
    case 'moments':
      return upTo(block.count).map((power) => cell ** (power + 1));
    case 'matrix':
      return block.rows.map((row) => row[cell]);
    case 'centre':
      return upTo(size).map((value) => Number(value === cell) - 1 / size);
  }
};

/** The matrix that a block stands for, row by row. */
export const blockMatrix = (block: Block, size: number): number[][] => {
  const columns = upTo(size).map((cell) => adds(block, size, cell));
  return columns[0].map((_, row) => columns.map((column) => column[row]));
};

/** What one row adds to each answer of a query: a column of the query's matrix over the whole domain. */
export const rowAnswers = (query: Query, domain: Domain, row: Row): number[] => {
  if (query.kind === 'holding') throw new Error('a row alone does not answer for households');
  if (query.kind === 'dense') {
    const cell = countRows(domain, query.attributes, [row]).indexOf(1);
    return query.rows.map((own) => own[cell]);
  }
  const factors =
    query.kind === 'marginal'
      ? query.attributes.map((attribute) => ({ attribute, block: { kind: 'keep' } as const }))
      : query.factors;
  let answers = [1];
  for (const { attribute, block } of factors) {
    const index = domain.attributes.findIndex(({ name }) => name === attribute);
    const own = adds(block, domain.attributes[index].size, row[index]);
    answers = answers.flatMap((value) => own.map((entry) => value * entry));
  }
  return answers;
};

/** Every row a domain allows. */
export const allRows = (domain: Domain): Row[] =>
  domain.attributes.reduce<number[][]>(
    (rows, { size }) => rows.flatMap((row) => upTo(size).map((cell) => [...row, cell])),
    [[]],
  );

/** Counts of the marginal of some attributes, row-major, by going through the rows one by one. */
export const countRows = (domain: Domain, attributes: readonly string[], rows: readonly Row[]): Float64Array => {
  const places = attributes.map((attribute) => domain.attributes.findIndex(({ name }) => name === attribute));
  const sizes = places.map((place) => domain.attributes[place].size);
  const counts = new Float64Array(sizes.reduce((product, size) => product * size, 1));
  for (const row of rows) counts[places.reduce((index, place, i) => index * sizes[i] + row[place], 0)]++;
  return counts;
};
