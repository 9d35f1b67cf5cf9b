import { stridesOf } from '../domain/cell-index.js';
import { type Domain, indexOf, sizesOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { type CodeColumn, codeColumn, rowBytes, type Table } from '../domain/table.js';
import { atOnce, type Turns } from '../domain/turns.js';
import { answerFrom, attributesOf } from '../query/answer.js';
import type { Random } from '../random/random.js';
import { shuffle } from '../random/shuffle.js';
import { marginalCells } from './marginal-cells.js';
import type { Model } from './model.js';
import { roundedCounts } from './rounded-counts.js';

/** The records of one group: `total` of them, distributed like the listed rows, each equally likely. */
export interface GroupRows {
  /** Cell of each key attribute. */
  readonly key: readonly number[];
  /** A whole number from 0. */
  readonly total: number;
  /** Row numbers in the shared table, at least one; a row may come more than once. */
  readonly rows: Uint32Array;
}

/** A model of many groups that draw on one table of rows. */
export interface GroupedModel extends Model {
  readonly kind: 'grouped';
  /** The attributes that tell the groups apart. */
  readonly keys: readonly string[];
  /** The rows that groups share, over the domain without the keys. */
  readonly shared: Table;
  readonly groups: readonly GroupRows[];
}

/**
 * Models groups over `domain`, which holds the keys and the attributes of `shared`. A group costs four bytes for each of its
 * rows, so thousands of groups with thousands of rows each are small; a marginal is a pass over all rows of all groups.
 */
export const groupedModel = (
  domain: Domain,
  keys: readonly string[],
  shared: Table,
  groups: readonly GroupRows[],
): GroupedModel => {
  for (const { total, rows } of groups) {
    if (!Number.isSafeInteger(total) || total < 0)
      throw new InputError(`group: its total must be a whole number from 0, got ${total}`);
    if (rows.length === 0) throw new InputError('group: must have at least one row to draw from, got none');
  }
  const total = groups.reduce((sum, group) => sum + group.total, 0);
  /** Where each attribute of the domain is found: among the keys, or among the shared columns. */
  const places = domain.attributes.map(({ name }) => {
    const key = keys.indexOf(name);
    return { key, column: key < 0 ? shared.columns[indexOf(shared.domain, name)] : undefined };
  });

  const marginal = (attributes: readonly string[]): Float64Array => {
    const counts = new Float64Array(marginalCells(domain, attributes));
    // A cell is a part that the group decides plus a part that the row decides.
    const ofKeys: { key: number; stride: number }[] = [];
    const ofRows: { column: CodeColumn; stride: number }[] = [];
    const strides = stridesOf(sizesOf(domain, attributes));
    attributes.forEach((name, axis) => {
      const { key, column } = places[indexOf(domain, name)];
      if (column === undefined) ofKeys.push({ key, stride: strides[axis] });
      else ofRows.push({ column, stride: strides[axis] });
    });
    const cellOf = new Uint32Array(shared.length);
    for (const part of ofRows)
      for (let row = 0; row < shared.length; row++) cellOf[row] += part.column[row] * part.stride;
    for (const group of groups) {
      const base = ofKeys.reduce((sum, part) => sum + group.key[part.key] * part.stride, 0);
      const weight = group.total / group.rows.length;
      for (const row of group.rows) counts[base + cellOf[row]] += weight;
    }
    return counts;
  };

  return {
    kind: 'grouped',
    domain,
    keys,
    total,
    shared,
    groups,
    cost: {
      bytes: shared.length * rowBytes(domain) + groups.reduce((sum, { rows }) => sum + 4 * rows.length + 200, 0),
      visits: groups.reduce((sum, { rows }) => sum + rows.length, 0),
    },
    marginal,
    answer: (query) => answerFrom(query, domain, marginal(attributesOf(query))),
    // Groups come one after another, each with its own total when `rows` is the model's; rows of a group in random order.
    sample: (rows, random) => atOnce(sampling(rows, random)),
    sampling,
  };

  function* sampling(rows: number, random: Random): Turns<Table> {
    if (rows > 0 && total === 0)
      throw new InputError(`sample: a model of no records gives none, got a wish for ${rows}`);
    const shares = groups.map((group) => group.total / total);
    const sizes = rows === total ? groups.map((group) => group.total) : roundedCounts(shares, rows, random);
    const target = domain.attributes.map(({ size }) => codeColumn(size, rows));
    let next = 0;
    for (const [g, group] of groups.entries()) {
      yield;
      for (const row of drawnRows(group, sizes[g], random)) {
        for (let a = 0; a < target.length; a++) {
          const { key, column } = places[a];
          target[a][next] = column === undefined ? group.key[key] : column[row];
        }
        next++;
      }
    }
    return { domain, length: rows, columns: target };
  }
};

/** So many of a group's rows, in random order, each as often as any other up to one. */
const drawnRows = ({ rows }: GroupRows, count: number, random: Random): number[] => {
  const even = new Float64Array(rows.length).fill(1 / rows.length);
  const drawn: number[] = [];
  roundedCounts(even, count, random).forEach((copies, i) => {
    for (let copy = 0; copy < copies; copy++) drawn.push(rows[i]);
  });
  return shuffle(drawn, random);
};
