import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { marginalTask, taskCells } from '../../estimate/generator/answer-task.js';
import { headsOf } from '../../estimate/generator/heads-of.js';
import { checkGenerator } from '../../estimate/generator/layout.js';
import { type NetworkShape, usualNetwork } from '../../estimate/generator/network-shape.js';
import type { Marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import { checkParts } from '../generator/generator-settings.js';
import type { RoundsWork } from '../generator/train-by-rounds.js';
import { givenMarginals, marginalsOf } from '../marginals-of.js';
import { defaultGemRounds, type GemSettings } from './settings.js';

/** What a release by GEM chooses from: marginals, all in records. */
export interface GemWork extends RoundsWork {
  readonly queries: readonly Marginal[];
}

/** What a release by GEM works with. Refuses before anything is spent what could not work. */
export const gemWork = (
  domain: Domain,
  workload: Workload,
  settings: GemSettings,
  network: Omit<NetworkShape, 'heads'> = usualNetwork,
): GemWork => {
  checkParts(settings);
  const { rounds: wanted, batch } = settings;
  const chosen = givenMarginals(workload, 'gem');
  const marginals = marginalsOf(chosen, 'gem');
  const weights = chosen.queries.map(({ weight }) => weight);
  const rounds = wanted === 0 ? defaultGemRounds(domain, marginals.length) : wanted;
  const shape = { ...network, heads: domain.attributes.map(({ size }) => size) };
  const heads = headsOf(shape);
  const sizes = marginals.map(({ attributes }) => cellsOf(domain, attributes)).sort((a, b) => b - a);
  if (sizes[0] > mostMarginalCells)
    throw new InputError(
      `workload: a marginal may have ${mostMarginalCells} cells for gem, got one of ${sizes[0]}; ask for fewer attributes together, or use coarser ones`,
    );
  const tasks = marginals.map(({ attributes }) => marginalTask(attributes.map((name) => heads[indexOf(domain, name)])));
  const trainCells = sizes.slice(0, rounds).reduce((sum, cells) => sum + cells, 0);
  const cells = cellsOf(
    domain,
    domain.attributes.map(({ name }) => name),
  );
  const needs = { shape, batch: Math.min(batch, componentsACell * cells), tasks, trainCells };
  checkGenerator(needs);
  return { queries: marginals, weights, units: marginals.map(() => 1), rounds, needs };
};

const mostMarginalCells = 2 ** 22;
/** Noise vectors for each cell of the whole domain, at most: more have nothing to tell apart. */
const componentsACell = 4;

/** Multiplications of one step on all that a release may have measured, and of one scoring. */
export const gemCost = ({ needs, rounds }: GemWork, parameters: number) => {
  const { batch, tasks } = needs;
  const cells = tasks.reduce((sum, task) => sum + taskCells(task), 0);
  return {
    step: 3 * batch * (parameters + (cells / tasks.length) * rounds * 0.5),
    score: batch * (parameters + cells),
  };
};
