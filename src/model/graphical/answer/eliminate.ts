import type { Block } from '../../../query/block/block.js';
import { kindOf } from '../../../query/block/block-kinds.js';
import type { CliqueGraph } from '../tree/clique-graph.js';
import { type AxisTable, arranged, contract, contractionCost, dividedBy, projected } from './contract.js';
import { eliminationCost } from './elimination-cost.js';
import { tableCache } from './table-cache.js';

/** Sums of products over a calibrated tree: variable elimination that shares its work among many questions. */
export interface Elimination {
  /**
   * sum over x of P(x) times the product of the blocks' entries Q_i(z_i, x_i), over the attributes asked, in their order: those with
   * a block in `blocks` become its rows z_i, others are kept, all others summed out (Private-PGM, Algorithm 3). The values are to
   * be multiplied by exp(`log`): evidence on many attributes may be less likely than a double can say. They may be shared: to
   * be read only.
   */
  ask(attributes: readonly number[], blocks?: ReadonlyMap<number, Block>): { values: Float64Array; log: number };
}

/** Cells of each kind of intermediate table that are kept for later questions: 128 MB. */
const kept = 2 ** 24;
/** What is asked beyond one separator. */
interface Arm {
  readonly key: string;
  readonly shared: readonly number[];
  /** P(asked | shared). */
  readonly table: AxisTable;
}

/** What stays of a product depends on what is still to come, which is seen by its separators. */
const productName = (name: string, { key }: Arm, rest: readonly Arm[]): string =>
  `${name}*${key}>${rest.map(({ shared }) => shared.join()).join('/')}`;

const noBlocks: ReadonlyMap<number, Block> = new Map();

/**
 * Works on the marginals of the tree's cliques. What lies beyond a separator s is seen through P(asked attributes there | s), which
 * is found in the same way from the clique behind it, and remembered: all pairs of a chain take one matrix product each.
 */
export const openElimination = (graph: CliqueGraph, beliefs: readonly Float64Array[]): Elimination => {
  const { sizes, cliques, neighbours } = graph;
  const cost = eliminationCost(graph);
  const arms = tableCache(kept);
  const reductions = tableCache(kept);
  const products = tableCache(kept);
  /** Which reductions a clique has had, to start from the smallest that will do. */
  const made = cliques.map((): string[] => []);
  const members = cliques.map((attributes) => new Set(attributes));

  /** The clique's marginal of some of its attributes, which come in the clique's order. */
  const reduced = (clique: number, wanted: ReadonlySet<number>): AxisTable => {
    const axes = cliques[clique].filter((attribute) => wanted.has(attribute));
    const whole: AxisTable = {
      axes: cliques[clique],
      sizes: cliques[clique].map((attribute) => sizes[attribute]),
      values: beliefs[clique],
    };
    if (axes.length === whole.axes.length) return whole;
    const key = `${clique}:${axes.join()}`;
    const known = reductions.get(key);
    if (known !== undefined) return known;
    let from = whole;
    for (const other of made[clique]) {
      const table = reductions.get(other);
      if (
        table !== undefined &&
        table.values.length < from.values.length &&
        axes.every((axis) => table.axes.includes(axis))
      )
        from = table;
    }
    const table = projected(from, axes);
    if (whole.values.length > 256) {
      reductions.set(key, table);
      made[clique].push(key);
    }
    return table;
  };

  /** The arm to multiply in next: one whose product is known already, or else the one that takes least work. */
  const nextArm = (table: AxisTable, open: readonly Arm[], name: string) => {
    const choices = open.map((next) => {
      const rest = open.filter((each) => each !== next);
      const known = name === '' ? undefined : products.get(productName(name, next, rest));
      return { next, rest, known, cost: known === undefined ? contractionCost(table, next.table) : 0 };
    });
    return choices.reduce((best, choice) => (choice.cost < best.cost ? choice : best));
  };

  /** Replaces an axis by the rows of its block. */
  const transformed = (table: AxisTable, axis: number, block: Block): AxisTable => {
    const place = table.axes.indexOf(axis);
    const outer = table.sizes.slice(0, place).reduce((all, size) => all * size, 1);
    const size = sizes[axis];
    return {
      axes: table.axes.map((other) => (other === axis ? sizes.length + axis : other)),
      sizes: table.sizes.map((other, i) => (i === place ? kindOf(block).rows(block, size) : other)),
      values: kindOf(block).apply(block, size, table.values, outer, table.values.length / outer / size),
    };
  };

  /** The joint of the attributes asked and of `separator`, from the clique and all that lies behind it when seen from `from`. */
  const joint = (
    clique: number,
    from: number,
    separator: readonly number[],
    asked: readonly number[],
    blocks: ReadonlyMap<number, Block>,
    scale: { log: number },
  ): AxisTable => {
    const own = asked.filter((attribute) => members[clique].has(attribute));
    const beyond = new Map<number, number[]>();
    for (const attribute of asked) {
      if (members[clique].has(attribute)) continue;
      const way = graph.toward(clique, attribute);
      const list = beyond.get(way);
      if (list === undefined) beyond.set(way, [attribute]);
      else list.push(attribute);
    }
    let open = [...beyond].map(([way, list]): Arm => {
      const { clique: next, separator: shared } = neighbours[clique][way];
      if (next === from) throw new Error('elimination: an attribute lies on the side that was left out');
      return { shared, key: `${next}:${list.join()}`, table: arm(next, clique, shared, list, blocks, scale) };
    });
    const stay = [...separator, ...own];
    let table = reduced(clique, new Set([...stay, ...open.flatMap(({ shared }) => shared)]));
    let waiting = own.filter((attribute) => blocks.has(attribute));
    /** An attribute that no other factor has any more takes its block, unless that would only make the table larger. */
    const transform = (all: boolean): void => {
      waiting = waiting.filter((attribute) => {
        const block = blocks.get(attribute)!;
        if (!all && kindOf(block).rows(block, sizes[attribute]) > sizes[attribute]) return true;
        if (separator.includes(attribute) || open.some(({ shared }) => shared.includes(attribute))) return true;
        table = transformed(table, attribute, block);
        return false;
      });
    };
    /** Names what the table is, for others who ask for parts of the same; nothing once blocks are in it. */
    let name = blocks.size === 0 ? `${clique}:${table.axes.join()}:${stay.join()}` : '';
    while (open.length > 0) {
      transform(false);
      const { next, rest, known } = nextArm(table, open, name);
      open = rest;
      if (known !== undefined) table = known;
      else table = contract(table, next.table, new Set([...stay, ...rest.flatMap(({ shared }) => shared)]));
      if (name === '') continue;
      name = productName(name, next, rest);
      if (known === undefined) products.set(name, table);
    }
    transform(true);
    return table;
  };

  /** P(asked | separator), for all that lies beyond the separator. */
  const arm = (
    clique: number,
    from: number,
    separator: readonly number[],
    asked: readonly number[],
    blocks: ReadonlyMap<number, Block>,
    scale: { log: number },
  ): AxisTable => {
    const shared = !asked.some((attribute) => blocks.has(attribute));
    const key = shared ? `${from}>${clique}:${asked.join()}` : '';
    const known = shared ? arms.get(key) : undefined;
    if (known !== undefined) return known;
    const whole = joint(clique, from, separator, asked, blocks, scale);
    const table = dividedBy(whole, reduced(clique, new Set(separator)));
    if (shared) arms.set(key, table);
    else rescale(table.values, scale);
    return table;
  };

  return {
    ask: (attributes, blocks = noBlocks) => {
      const scale = { log: 0 };
      const asked = [...attributes].sort((a, b) => a - b);
      const table = joint(cost.middle(asked), -1, [], asked, blocks, scale);
      const order = attributes.map((attribute) => (blocks.has(attribute) ? sizes.length + attribute : attribute));
      return { values: arranged(table, order).values, log: scale.log };
    },
  };
};

/** Keeps what evidence has made small within the range of doubles. */
const rescale = (values: Float64Array, scale: { log: number }): void => {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]) > most) most = Math.abs(values[i]);
  if (most === 0 || (most > 1e-60 && most < 1e60)) return;
  for (let i = 0; i < values.length; i++) values[i] /= most;
  scale.log += Math.log(most);
};
