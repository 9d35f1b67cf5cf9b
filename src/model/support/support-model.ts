import { countRows } from '../../domain/count-rows.js';
import { indexOf } from '../../domain/domain.js';
import { codeColumn, rowBytes, type Table } from '../../domain/table.js';
import { atOnce, type Turns } from '../../domain/turns.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import { kindOf } from '../../query/block/block-kinds.js';
import { factorsOf } from '../../query/factors.js';
import type { Query } from '../../query/query.js';
import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import { balancedCounts } from '../balanced-counts.js';
import { marginalCells } from '../marginal-cells.js';
import type { Model } from '../model.js';
import type { Support } from './support.js';

/** A model that is a distribution over distinct rows. It can say only what a mixture of those rows says. */
export interface SupportModel extends Model {
  readonly kind: 'support';
  readonly support: Support;
}

/**
 * Models `total` records that are distributed like `support`. Marginals cost a pass over the rows, and so do answers; conditions on
 * attributes (`set` and `value`) choose rows and need no cells, so there may be any number of them.
 */
export const supportModel = (support: Support, total: number): SupportModel => {
  const { domain, length, columns, weights } = support;

  const sums = (attributes: readonly string[], own: Float64Array): Float64Array => {
    const cells = marginalCells(domain, attributes);
    const counts = countRows({ domain, columns, length, weights: own }, attributes);
    for (let cell = 0; cell < cells; cell++) counts[cell] *= total;
    return counts;
  };

  /** The query without its conditions, and the weights of the rows that meet them. */
  const chosen = (query: Query): { readonly rest: Query; readonly own: Float64Array } => {
    const factors = factorsOf(query, domain);
    const rest = factors.filter(({ block }) => kindOf(block).cells === undefined);
    if (rest.length === factors.length) return { rest: query, own: weights };
    const own = weights.slice();
    for (const { attributes, block, size } of factors) {
      const cells = kindOf(block).cells?.(block);
      if (cells === undefined) continue;
      const inside = new Uint8Array(size);
      for (const cell of cells) inside[cell] = 1;
      const column = columns[indexOf(domain, attributes[0])];
      for (let row = 0; row < length; row++) if (inside[column[row]] === 0) own[row] = 0;
    }
    // A condition has one answer, so the others keep their order without it.
    const others = rest.map(({ attributes: [attribute], block }) => ({ attribute, block }));
    return { rest: { kind: 'factored', factors: others }, own };
  };

  return {
    kind: 'support',
    domain,
    total,
    support,
    cost: { bytes: length * (rowBytes(domain) + 8), visits: length },
    marginal: (attributes) => sums(attributes, weights),
    answer: (query) => {
      const { rest, own } = chosen(query);
      return answerFrom(rest, domain, sums(attributesOf(rest), own));
    },
    sample: (rows, random) => atOnce(sampling(rows, random)),
    sampling,
  };

  function* sampling(rows: number, random: Random): Turns<Table> {
    const sizes = domain.attributes.map(({ size }) => size);
    const copies = yield* balancedCounts({ columns, sizes, weights }, rows, random);
    const target = domain.attributes.map(({ size }) => codeColumn(size, rows));
    // Rows come out in random order: their order must not tell how the support was made.
    const order = yield* randomOrder(rows, random);
    let next = 0;
    for (let row = 0; row < length; row++) {
      if (row % turn === 0) yield;
      for (let copy = 0; copy < copies[row]; copy++, next++) {
        if (copy % turn === turn - 1) yield;
        for (let a = 0; a < target.length; a++) target[a][order[next]] = columns[a][row];
      }
    }
    return { domain, length: rows, columns: target };
  }
};

/** Rows that are drawn in a turn. */
const turn = 2 ** 14;

function* randomOrder(length: number, random: Random): Turns<Uint32Array> {
  const order = Uint32Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    if (i % turn === 0) yield;
    const j = uniformInteger(random, i + 1);
    const held = order[i];
    order[i] = order[j];
    order[j] = held;
  }
  return order;
}
