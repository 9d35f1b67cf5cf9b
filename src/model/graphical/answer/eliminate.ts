import { InputError } from '../../../domain/input-error.js';
import type { Block } from '../../../query/block/block.js';
import { kindOf } from '../../../query/block/block-kinds.js';
import type { CliqueGraph } from '../tree/clique-graph.js';
import {
  type AxisTable,
  arranged,
  contract,
  contractionCost,
  dividedBy,
  largestTable,
  outer,
  projected,
  TableTooLarge,
  zeros,
} from './contract.js';
import { eliminationCost } from './elimination-cost.js';
import { type TableCache, tableCache } from './table-cache.js';

/** Sums of products over a calibrated tree: variable elimination that shares its work among many questions. */
export interface Elimination {
  /**
   * sum over x of P(x) times the product of the blocks' entries Q_i(z_i, x_i), over the attributes asked, in their order: those with
   * a block in `blocks` become its rows z_i, others are kept, all others summed out (Private-PGM, Algorithm 3). The values are to
   * be multiplied by exp(`log`): evidence on many attributes may be less likely than a double can say. They may be shared: to
   * be read only. Where a table on the way would be too large, the answer is put together from slices, a cell of an attribute at a time.
   */
  ask(attributes: readonly number[], blocks?: ReadonlyMap<number, Block>): { values: Float64Array; log: number };
}

/** Cells of each kind of intermediate table that are kept for later questions: 128 MB. */
const kept = 2 ** 24;
/** Multiplications that an answer in slices may take, about a quarter of a minute; and as how many a product counts besides its own. */
const slicedWork = 2 ** 34;
const perProduct = 2 ** 14;

/** Limits of an elimination: cells of a product, and multiplications of an answer in slices. */
export interface EliminationLimits {
  readonly largest?: number;
  readonly work?: number;
}

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

/** A part of the tree, and what is asked of it. */
interface Part {
  /** The clique that is nearest. */
  readonly clique: number;
  /** The clique from which it is seen, -1 for the whole tree, and what both hold. */
  readonly from: number;
  readonly separator: readonly number[];
  readonly asked: readonly number[];
}

/** Multiplications that an answer may still take; no number as long as it is not made in slices. */
interface Effort {
  left: number;
}

/** One question: what becomes of its attributes, and the logarithm of what the tables made for it were divided by. */
interface Question {
  readonly blocks: ReadonlyMap<number, Block>;
  readonly effort: Effort;
  log: number;
}

type Answer = ReturnType<Elimination['ask']>;

/**
 * Works on the marginals of the tree's cliques. What lies beyond a separator s is seen through P(asked attributes there | s), which
 * is found in the same way from the clique behind it, and remembered: all pairs of a chain take one matrix product each. No product
 * has more cells than the limit.
 */
export const openElimination = (
  graph: CliqueGraph,
  beliefs: readonly Float64Array[],
  { largest = largestTable, work = slicedWork }: EliminationLimits = {},
): Elimination => {
  const { sizes, members, neighbours } = graph;
  const cost = eliminationCost(graph);
  const marginalOf = cliqueMarginals(graph, beliefs, tableCache(kept));
  const arms = tableCache(kept);
  const products = tableCache(kept);

  /** The arms of a clique, seen from it: what is asked beyond each of its neighbours. */
  const armsOf = ({ clique, from, asked }: Part, question: Question): Arm[] =>
    [...graph.beyond(clique, asked)].map(([way, list]) => {
      const { clique: next, separator } = neighbours[clique][way];
      if (next === from) throw new Error('elimination: an attribute lies on the side that was left out');
      const table = conditional({ clique: next, from: clique, separator, asked: list }, question);
      return { shared: separator, key: `${next}:${list.join()}`, table };
    });

  /** The joint of the attributes asked and of the separator, from the clique and all that lies behind it. */
  const joint = (part: Part, question: Question): AxisTable => {
    const { clique, separator, asked } = part;
    const { blocks } = question;
    const own = asked.filter((attribute) => members[clique].has(attribute));
    let open = armsOf(part, question);
    const stay = [...separator, ...own];
    const needed = (): Set<number> => new Set([...stay, ...open.flatMap(({ shared }) => shared)]);
    let table = marginalOf(clique, needed());
    let waiting = own.filter((attribute) => blocks.has(attribute));
    /** An attribute that no other factor has any more takes its block, unless that would only make the table larger. */
    const transform = (all: boolean): void => {
      waiting = waiting.filter((attribute) => {
        const block = blocks.get(attribute)!;
        if (!all && kindOf(block).rows(block, sizes[attribute]) > sizes[attribute]) return true;
        if (separator.includes(attribute) || open.some(({ shared }) => shared.includes(attribute))) return true;
        table = transformed(table, attribute, block, sizes);
        return false;
      });
    };
    /** Names what the table is, for others who ask for parts of the same; nothing once blocks are in it. */
    let name = blocks.size === 0 ? `${clique}:${table.axes.join()}:${stay.join()}` : '';
    while (open.length > 0) {
      transform(false);
      const { next, rest, known } = nextArm(table, open, name, products);
      open = rest;
      if (known === undefined) spend(question.effort, contractionCost(table, next.table), work);
      table = known ?? contract(table, next.table, needed(), largest);
      if (name === '') continue;
      name = productName(name, next, rest);
      if (known === undefined) products.set(name, table);
    }
    transform(true);
    return table;
  };

  /** P(asked | separator). */
  const conditional = (part: Part, question: Question): AxisTable => {
    const { clique, from, separator, asked } = part;
    const shared = !asked.some((attribute) => question.blocks.has(attribute));
    const key = shared ? `${from}>${clique}:${asked.join()}` : '';
    const known = shared ? arms.get(key) : undefined;
    if (known !== undefined) return known;
    const table = dividedBy(joint(part, question), marginalOf(clique, new Set(separator)));
    if (shared) arms.set(key, table);
    else rescale(table.values, question);
    return table;
  };

  const singles: (AxisTable | undefined)[] = sizes.map(() => undefined);
  /** The joint of attributes that are in one connected part of the graph. */
  const together = (asked: readonly number[], question: Question): AxisTable => {
    const find = (): AxisTable =>
      joint({ clique: cost.middle(asked), from: -1, separator: [], asked: [...asked].sort((a, b) => a - b) }, question);
    if (asked.length !== 1 || question.blocks.has(asked[0])) return find();
    const table = singles[asked[0]] ?? find();
    singles[asked[0]] = table;
    return table;
  };

  const askWhole = (attributes: readonly number[], blocks: ReadonlyMap<number, Block>, effort: Effort): Answer => {
    const question = { blocks, effort, log: 0 };
    // What lies in different parts is independent, and its joint a product: most pairs of a wide table are such.
    const tables = byPart(attributes, graph.parts).map((asked) => together(asked, question));
    const table = tables.length === 0 ? together([], question) : tables.reduce(outer);
    const order = attributes.map((attribute) => (blocks.has(attribute) ? sizes.length + attribute : attribute));
    return { values: arranged(table, order).values, log: question.log };
  };

  /** With evidence on an attribute its axis is gone from all tables on the way, at the price of a pass for each of its cells. */
  const askSlices = (
    attributes: readonly number[],
    blocks: ReadonlyMap<number, Block>,
    effort: Effort,
    refusal: TableTooLarge,
  ): Answer => {
    const open = attributes.filter((attribute) => blocks.get(attribute)?.kind !== 'value');
    if (open.length === 0) throw refusal;
    effort.left = Math.min(effort.left, work);
    const axis = open.reduce((most, attribute) => (sizes[attribute] > sizes[most] ? attribute : most));
    const slices = Array.from({ length: sizes[axis] }, (_, cell) =>
      askWithin(attributes, new Map<number, Block>([...blocks, [axis, { kind: 'value', cell }]]), effort),
    );
    const rowsOf = (list: readonly number[]): number =>
      list.reduce((all, attribute) => {
        const block = blocks.get(attribute);
        return all * (block === undefined ? sizes[attribute] : kindOf(block).rows(block, sizes[attribute]));
      }, 1);
    const inner = rowsOf(attributes.slice(attributes.indexOf(axis) + 1));
    const { values, log } = stacked(slices, inner);
    const block = blocks.get(axis);
    if (block === undefined) return { values, log };
    const outerRows = values.length / sizes[axis] / inner;
    return { values: kindOf(block).apply(block, sizes[axis], values, outerRows, inner), log };
  };

  const askWithin = (attributes: readonly number[], blocks: ReadonlyMap<number, Block>, effort: Effort): Answer => {
    try {
      return askWhole(attributes, blocks, effort);
    } catch (error) {
      if (error instanceof TableTooLarge) return askSlices(attributes, blocks, effort, error);
      throw error;
    }
  };

  return {
    ask: (attributes, blocks = noBlocks) => askWithin(attributes, blocks, { left: Number.POSITIVE_INFINITY }),
  };
};

/** Slices along an axis, side by side, each `inner` values at a time. */
const stacked = (slices: readonly Answer[], inner: number): Answer => {
  const width = slices[0].values.length;
  const values = zeros([slices.length, width]);
  // What is impossible has no scale of its own.
  const isPossible = slices.map((slice) => slice.values.some((value) => value !== 0));
  const logs = slices.flatMap((slice, cell) => (isPossible[cell] ? [slice.log] : []));
  const log = logs.length === 0 ? 0 : Math.max(...logs);
  slices.forEach((slice, cell) => {
    if (!isPossible[cell]) return;
    const factor = Math.exp(slice.log - log);
    for (let i = 0; i < width; i++) {
      const outside = Math.floor(i / inner);
      values[(outside * slices.length + cell) * inner + (i - outside * inner)] = factor * slice.values[i];
    }
  });
  return { values, log };
};

const spend = (effort: Effort, multiplications: number, most: number): void => {
  effort.left -= perProduct + multiplications;
  if (effort.left < 0)
    throw new InputError(
      `marginal: must take at most ${most} multiplications where tables on the way are too large to be made at once, got more; ask for fewer attributes`,
    );
};

/** Lists of those attributes that are in one part. */
const byPart = (attributes: readonly number[], parts: readonly number[]): (readonly number[])[] => {
  if (attributes.every((attribute) => parts[attribute] === parts[attributes[0]]))
    return attributes.length === 0 ? [] : [attributes];
  const lists = new Map<number, number[]>();
  for (const attribute of attributes) {
    const list = lists.get(parts[attribute]);
    if (list === undefined) lists.set(parts[attribute], [attribute]);
    else list.push(attribute);
  }
  return [...lists.values()];
};

/** Gives a clique's marginal of some of its attributes, which come in the clique's order. */
const cliqueMarginals = (
  { sizes, cliques }: CliqueGraph,
  beliefs: readonly Float64Array[],
  cache: TableCache,
): ((clique: number, wanted: ReadonlySet<number>) => AxisTable) => {
  /** Which marginals a clique has had, to start from the smallest that will do. */
  const made = cliques.map((): string[] => []);
  return (clique, wanted) => {
    const axes = cliques[clique].filter((attribute) => wanted.has(attribute));
    const whole: AxisTable = {
      axes: cliques[clique],
      sizes: cliques[clique].map((attribute) => sizes[attribute]),
      values: beliefs[clique],
    };
    if (axes.length === whole.axes.length) return whole;
    const key = `${clique}:${axes.join()}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    let from = whole;
    for (const other of made[clique]) {
      const table = cache.get(other);
      if (table === undefined || table.values.length >= from.values.length) continue;
      if (axes.every((axis) => table.axes.includes(axis))) from = table;
    }
    const table = projected(from, axes);
    if (whole.values.length > 256) {
      cache.set(key, table);
      made[clique].push(key);
    }
    return table;
  };
};

/** The arm to multiply in next: one whose product is known already, or else the one that takes least work. */
const nextArm = (table: AxisTable, open: readonly Arm[], name: string, products: TableCache) => {
  const choices = open.map((next) => {
    const rest = open.filter((each) => each !== next);
    const known = name === '' ? undefined : products.get(productName(name, next, rest));
    return { next, rest, known, cost: known === undefined ? contractionCost(table, next.table) : 0 };
  });
  return choices.reduce((best, choice) => (choice.cost < best.cost ? choice : best));
};

/** Replaces an axis by the rows of its block, which are numbered after all attributes. */
const transformed = (table: AxisTable, axis: number, block: Block, sizes: readonly number[]): AxisTable => {
  const place = table.axes.indexOf(axis);
  const outer = table.sizes.slice(0, place).reduce((all, size) => all * size, 1);
  const size = sizes[axis];
  return {
    axes: table.axes.map((other) => (other === axis ? sizes.length + axis : other)),
    sizes: table.sizes.map((other, i) => (i === place ? kindOf(block).rows(block, size) : other)),
    values: kindOf(block).apply(block, size, table.values, outer, table.values.length / outer / size),
  };
};

/** Keeps what evidence has made small within the range of doubles. */
const rescale = (values: Float64Array, question: Question): void => {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]) > most) most = Math.abs(values[i]);
  if (most === 0 || (most > 1e-60 && most < 1e60)) return;
  for (let i = 0; i < values.length; i++) values[i] /= most;
  question.log += Math.log(most);
};
