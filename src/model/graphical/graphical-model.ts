import { type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Table } from '../../domain/table.js';
import { atOnce, eachInTurn, type Turns } from '../../domain/turns.js';
import type { Engine } from '../../kernel/engine.js';
import { answerFrom, withinLimit } from '../../query/answer.js';
import type { Block } from '../../query/block/block.js';
import { neededFactors } from '../../query/factors.js';
import type { Query } from '../../query/query.js';
import type { Random } from '../../random/random.js';
import type { Model } from '../model.js';
import { largestTable } from './answer/contract.js';
import { type Elimination, openElimination } from './answer/eliminate.js';
import { pairMarginals, type WantedPair } from './answer/pair-marginals.js';
import { calibrate, checkFactors, type LogFactor } from './calibrate.js';
import { drawnColumns } from './sample/sample-drawn.js';
import { samplePlan } from './sample/sample-plan.js';
import { roundedChunks, roundedColumns } from './sample/sample-rounded.js';
import { cliqueGraph } from './tree/clique-graph.js';
import { type JunctionTree, junctionTree, treeSize } from './tree/junction-tree.js';
import { treeEntropy } from './tree/tree-entropy.js';

/** A density proportional to exp(sum of factors), each of a few attributes, over a junction tree (Private-PGM, section 3). */
export interface GraphicalModel extends Model {
  readonly kind: 'graphical';
  readonly tree: JunctionTree;
  /** What the model is made of, and all that is saved of it. */
  readonly factors: readonly LogFactor[];
  /** Probabilities of all cells of the tree's cliques, as it lists them; made when first asked for, to be read only. */
  beliefs(): readonly Float64Array[];
  /** True when the factors come from an approximate oracle: what the model says is exact for the factors, not for the fit. */
  readonly approximate: boolean;
  /** Many marginals at once, as `marginal` gives them, sharing work. */
  marginals(list: readonly (readonly string[])[]): Float64Array[];
  /** The same, in turns; with an engine, large products by its kernels. */
  answering(list: readonly (readonly string[])[], engine?: Engine): Turns<Float64Array[]>;
  /** Probabilities of all cells of the attributes among records with the given cells; refuses what has probability zero. */
  conditional(attributes: readonly string[], given: Readonly<Record<string, number>>): Float64Array;
  /** In nats. */
  entropy(): number;
  /** Independent records, where `sample` rounds: its counts are nearer to the model's than independent records can be. */
  draw(rows: number, random: Random): Table;
  /** `sample`, `chunk` rows at a time, in memory for one chunk and the model: all chunks together are a sample of `rows` rows. */
  sampleInChunks(rows: number, random: Random, chunk: number): Iterable<Table>;
}

/** Limits of a graphical model. */
export interface GraphicalModelOptions {
  readonly approximate?: boolean | undefined;
  /** The probabilities of a clique's cells, where whoever fitted the factors has them: they are not worked out again. Kept, not copied. */
  readonly beliefOf?: ((attributes: readonly string[]) => Float64Array | undefined) | undefined;
}

/**
 * Models `total` records. Costs a calibration as soon as something is asked: the marginals of all cliques are held (8 bytes a cell of the tree). Factors are
 * kept, not copied.
 */
export const graphicalModel = (
  given: JunctionTree,
  factors: readonly LogFactor[],
  total: number,
  { approximate = false, beliefOf }: GraphicalModelOptions = {},
): GraphicalModel => {
  if (!(total >= 0 && total < Infinity)) throw new InputError(`total: must be a finite number from 0, got ${total}`);
  const { domain } = given;
  // The tree that follows from its cliques alone: a model that is read from its file has that one, and must draw the same rows.
  const tree = junctionTree(
    domain,
    given.cliques.map(({ attributes }) => attributes),
  );
  checkFactors(tree, factors);
  const known = tree.cliques.flatMap(({ attributes }) => beliefOf?.(attributes) ?? []);
  let held = known.length === tree.cliques.length ? known : undefined;
  const beliefs = (): readonly Float64Array[] => {
    held ??= calibrate(tree, factors);
    return held;
  };
  // Finite factors leave every record possible; others may leave none, which is refused here and not when something is asked.
  if (!factors.every(({ potential }) => potential.every(Number.isFinite))) beliefs();
  const graph = cliqueGraph(tree);
  const ask = (elimination: Elimination, query: Query): Float64Array => {
    if (query.kind === 'dense')
      return answerFrom(query, domain, ask(elimination, { kind: 'marginal', attributes: query.attributes }));
    const { values, log } = askQuery(elimination, domain, query);
    return scaled(values, Math.exp(log));
  };
  /** Numbers of records; new, since tables may be shared. */
  const scaled = (values: Float64Array, factor = 1): Float64Array => {
    const answers = new Float64Array(values.length);
    for (let i = 0; i < answers.length; i++) answers[i] = withinLimit(values[i] * (total * factor));
    return answers;
  };
  /** Two attributes of one connected part that share no clique. */
  const apart = (names: readonly string[]): readonly [number, number] | undefined => {
    if (names.length !== 2 || names[0] === names[1]) return undefined;
    const [a, b] = names.map((name) => indexOf(domain, name));
    if (graph.parts[a] !== graph.parts[b]) return undefined;
    const [few, other] = graph.homes[a].length <= graph.homes[b].length ? [a, b] : [b, a];
    return graph.homes[few].some((clique) => graph.members[clique].has(other)) ? undefined : [a, b];
  };
  const answer = (query: Query): Float64Array => ask(openElimination(graph, beliefs()), query);
  const plan = () => {
    const sets = factors.map(({ attributes }) => attributes.map((name) => indexOf(domain, name)));
    return samplePlan(tree, graph, beliefs(), sets);
  };

  function* answering(list: readonly (readonly string[])[], engine?: Engine): Turns<Float64Array[]> {
    const elimination = openElimination(graph, beliefs());
    const found = new Array<Float64Array | undefined>(list.length);
    const pairs = list.flatMap((names, i): WantedPair[] => {
      const pair = apart(names);
      const take = (joint: Float64Array): void => {
        found[i] = scaled(joint);
      };
      return pair === undefined ? [] : [{ attributes: pair, take }];
    });
    yield* pairMarginals(graph, beliefs(), pairs, engine);
    return yield* eachInTurn(
      list.entries(),
      ([i, attributes]) => found[i] ?? ask(elimination, { kind: 'marginal', attributes }),
    );
  }
  function* sampling(rows: number, random: Random): Turns<Table> {
    checkRows(rows, 'rows');
    return { domain, length: rows, columns: yield* roundedColumns(plan(), rows, random) };
  }

  return {
    kind: 'graphical',
    domain,
    total,
    tree,
    factors,
    beliefs,
    approximate,
    cost: { bytes: treeSize(tree).bytes, visits: Number.POSITIVE_INFINITY },
    marginal: (attributes) => answer({ kind: 'marginal', attributes }),
    answer,
    marginals: (list) => atOnce(answering(list)),
    answering,
    conditional: (attributes, given) => {
      const kept = attributes.map((attribute) => ({ attribute, block: { kind: 'keep' } as const }));
      const evidence = Object.entries(given).map(([attribute, cell]) => ({
        attribute,
        block: { kind: 'value', cell } as const,
      }));
      const { values } = askQuery(openElimination(graph, beliefs()), domain, {
        kind: 'factored',
        factors: [...kept, ...evidence],
      });
      const sum = values.reduce((all, value) => all + value, 0);
      if (!(sum > 0))
        throw new InputError(
          `evidence: must be possible under the model, got cells with probability zero (${Object.keys(given).join(', ')}); give other cells or fewer`,
        );
      return values.map((value) => value / sum);
    },
    entropy: () => treeEntropy(tree, beliefs()),
    sample: (rows, random) => atOnce(sampling(rows, random)),
    sampling,
    draw: (rows, random) => {
      checkRows(rows, 'rows');
      return { domain, length: rows, columns: drawnColumns(plan(), rows, random) };
    },
    sampleInChunks: function* (rows, random, chunk) {
      checkRows(chunk, 'chunk');
      if (chunk === 0 || !Number.isSafeInteger(rows) || rows < 0 || rows >= 2 ** 32)
        throw new InputError(
          `chunks: must be of at least one row for a whole number of rows, got ${chunk} for ${rows}`,
        );
      for (const { length, columns } of roundedChunks(plan(), rows, chunk, random)) yield { domain, length, columns };
    },
  };
};

/** Probabilities of a query's answers, to be multiplied by exp(`log`). Checks names, cells, and that nothing is asked twice. */
const askQuery = (elimination: Elimination, domain: Domain, query: Query): ReturnType<Elimination['ask']> => {
  const parts = neededFactors(query, domain);
  const cells = parts.reduce((product, { rows }) => product * rows, 1);
  if (cells > largestTable)
    throw new InputError(`marginal: must have at most ${largestTable} cells, got ${cells}; ask for fewer attributes`);
  const blocks = new Map<number, Block>();
  const attributes = parts.map(({ attributes: [attribute], block }) => {
    const number = indexOf(domain, attribute);
    if (block.kind !== 'keep') blocks.set(number, block);
    return number;
  });
  return elimination.ask(attributes, blocks);
};

const checkRows = (rows: number, what: string): void => {
  if (!Number.isSafeInteger(rows) || rows < 0 || rows > 2 ** 31 - 1)
    throw new InputError(`${what}: must be a whole number below 2^31, got ${rows}`);
};

/** The same model, whose tables are worked out anew when it is asked. */
export const withoutBeliefs = ({ tree, factors, total, approximate }: GraphicalModel): GraphicalModel =>
  graphicalModel(tree, factors, total, { approximate });
