import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { marginalTask, taskCells } from '../../estimate/generator/answer-task.js';
import { headsOf } from '../../estimate/generator/heads-of.js';
import { checkGenerator } from '../../estimate/generator/layout.js';
import { headColumns, type NetworkShape, usualNetwork } from '../../estimate/generator/network-shape.js';
import { attributesOf } from '../../query/answer.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import { downwardClosure, subsetsOf } from '../../query/workload/downward-closure.js';
import type { Workload } from '../../query/workload/workload.js';
import { checkParts } from '../generator/generator-settings.js';
import type { RoundsWork } from '../generator/train-by-rounds.js';
import { givenMarginals, marginalsOf } from '../marginals-of.js';
import { defaultGemRounds, type GemSettings } from './settings.js';

/** What a release by GEM works with: marginals, all in records. */
export interface GemWork extends RoundsWork {
  /** All single attributes in the domain's order, and the larger marginals that the rounds choose from. */
  readonly queries: readonly Marginal[];
  /** The single attributes alone. */
  readonly singles: readonly Marginal[];
}

/** What a release by GEM works with. Refuses before anything is spent what could not work. */
export const gemWork = (
  domain: Domain,
  workload: Workload,
  settings: GemSettings,
  network: Omit<NetworkShape, 'heads'> = usualNetwork,
): GemWork => {
  const { rounds: wanted, batch, alpha, gammaKeep, averageKeep, oneWayShare } = settings;
  checkParts({ alpha, gammaKeep, averageKeep, oneWayShare });
  const asked = givenMarginals(workload, 'gem');
  const { singles, marginals, weights } = candidatesOf(domain, asked);
  const rounds = wanted === 0 ? defaultGemRounds(domain, asked.queries.length) : wanted;
  const shape = { ...network, heads: domain.attributes.map(({ size }) => size) };
  const heads = headsOf(shape);
  const sizes = marginals.map(({ attributes }) => cellsOf(domain, attributes)).sort((a, b) => b - a);
  if (sizes[0] > mostMarginalCells)
    throw new InputError(
      `workload: a marginal may have ${mostMarginalCells} cells for gem, got one of ${sizes[0]}; ask for fewer attributes together, or use coarser ones`,
    );
  const tasks = marginals.map(({ attributes }) => marginalTask(attributes.map((name) => heads[indexOf(domain, name)])));
  // Single attributes are trained on from the start.
  const trainCells = headColumns(shape) + sizes.slice(0, rounds).reduce((sum, cells) => sum + cells, 0);
  const cells = cellsOf(
    domain,
    domain.attributes.map(({ name }) => name),
  );
  const needs = { shape, batch: Math.min(batch, componentsACell * cells), tasks, trainCells };
  checkGenerator(needs);
  return { queries: marginals, singles, weights, units: marginals.map(() => 1), rounds, needs };
};

/**
 * What the rounds choose from: every set of attributes inside a marginal that was asked for, as in AIM (McKenna et al. 2022), since an error of a large
 * marginal is often one of a smaller one in it, which costs less noise to mend. An error of a set counts for the most that one of a marginal with
 * it does. Single attributes that nobody asked for have weight 0.
 */
const candidatesOf = (domain: Domain, asked: Workload) => {
  const places = new Map(domain.attributes.map(({ name }, place) => [name, place]));
  const placesOf = (names: readonly string[]): number[] => names.map((name) => places.get(name)!).sort((a, b) => a - b);
  const inside = marginalsOf(downwardClosure(asked, domain), 'gem');
  const weightOf = new Map<string, number>();
  for (const { query, weight } of asked.queries)
    for (const part of subsetsOf(placesOf(attributesOf(query))))
      weightOf.set(part.join(), Math.max(weight, weightOf.get(part.join()) ?? 0));
  const singles = domain.attributes.map(({ name }) => marginal(name));
  const marginals = [...singles, ...inside.filter(({ attributes }) => attributes.length > 1)];
  const weights = marginals.map(({ attributes }) => weightOf.get(placesOf(attributes).join()) ?? 0);
  return { singles, marginals, weights };
};

const mostMarginalCells = 2 ** 22;
/** Noise vectors for each cell of the whole domain, at most: more have nothing to tell apart. */
const componentsACell = 4;

/** Multiplications of one step on all that a release may have measured, and of one scoring. */
export const gemCost = ({ needs, rounds }: GemWork, parameters: number) => {
  const { batch, tasks, shape } = needs;
  const cells = tasks.reduce((sum, task) => sum + taskCells(task), 0);
  return {
    step: 3 * batch * (parameters + headColumns(shape) + (cells / tasks.length) * rounds * 0.5),
    score: batch * (parameters + cells),
  };
};
