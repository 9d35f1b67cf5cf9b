import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { marginalTask, taskCells } from '../../estimate/generator/answer-task.js';
import { headsOf } from '../../estimate/generator/heads-of.js';
import { checkGenerator, type GeneratorNeeds } from '../../estimate/generator/layout.js';
import { type NetworkShape, usualNetwork } from '../../estimate/generator/network-shape.js';
import type { Currency } from '../../privacy/accounting/currency.js';
import type { Marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import { givenMarginals, marginalsOf } from '../marginals-of.js';
import { defaultGemRounds, type GemSettings } from './settings.js';

/** What a release by GEM chooses from, for how many rounds, and what its generator has to hold. */
export interface GemWork {
  readonly marginals: readonly Marginal[];
  readonly weights: readonly number[];
  readonly rounds: number;
  readonly needs: GeneratorNeeds;
}

/** Refuses before anything is spent what could not work. */
export const gemWork = (
  domain: Domain,
  workload: Workload,
  { rounds: wanted, batch, alpha, gammaKeep, averageKeep }: GemSettings,
  network: Omit<NetworkShape, 'heads'> = usualNetwork,
): GemWork => {
  const chosen = givenMarginals(workload, 'gem');
  const marginals = marginalsOf(chosen, 'gem');
  const weights = chosen.queries.map(({ weight }) => weight);
  const rounds = wanted === 0 ? defaultGemRounds(domain, marginals.length) : wanted;
  for (const [name, value] of Object.entries({ alpha, gammaKeep, averageKeep }))
    if (!(value > 0 && value < 1)) throw new InputError(`${name}: must be between 0 and 1, got ${value}`);
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
  return { marginals, weights, rounds, needs };
};

const mostMarginalCells = 2 ** 22;
/** Noise vectors for each cell of the whole domain, at most: more have nothing to tell apart. */
const componentsACell = 4;

/**
 * The part of a round's budget that selects, when a part alpha of its epsilon does: costs grow with epsilon in a pure budget, with its
 * square in zCDP (epsilon_0 of Algorithm 3).
 */
export const selectingPart = (alpha: number, currency: Currency): number => {
  const power = currency === 'pure' ? 1 : 2;
  return alpha ** power / (alpha ** power + (1 - alpha) ** power);
};

/** Multiplications of one step on all that a release may have measured, and of one scoring. */
export const gemCost = ({ needs, rounds }: GemWork, parameters: number) => {
  const { batch, tasks } = needs;
  const cells = tasks.reduce((sum, task) => sum + taskCells(task), 0);
  return {
    step: 3 * batch * (parameters + (cells / tasks.length) * rounds * 0.5),
    score: batch * (parameters + cells),
  };
};
