import { cellsOf, sizesOf } from '../../domain/domain.js';
import { splitLevels } from '../../domain/households/split-levels.js';
import { InputError } from '../../domain/input-error.js';
import { taskCells, taskWork } from '../../estimate/generator/answer-task.js';
import { countedTask } from '../../estimate/generator/counted-task.js';
import { headsOf } from '../../estimate/generator/heads-of.js';
import { checkGenerator } from '../../estimate/generator/layout.js';
import { type NetworkShape, parameterCount, usualNetwork } from '../../estimate/generator/network-shape.js';
import { householdHeads } from '../../model/households/household-heads.js';
import type { Door } from '../../privacy/session/session.js';
import type { Counted } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import { countedQueries } from '../counted-queries.js';
import { checkParts } from '../generator/generator-settings.js';
import type { RoundsWork } from '../generator/train-by-rounds.js';
import type { HGemSettings } from './settings.js';

/** Whom a release protects, and over what. */
type Terms = Pick<Door, 'domain' | 'unit'>;

/** What a release by H-GEM works with; `rounds` is the most where their number is left to `defaultRounds`. Refuses before anything is spent what could not work. */
export const hGemWork = (
  terms: Terms,
  workload: Workload,
  settings: HGemSettings,
  network: Omit<NetworkShape, 'heads'> = usualNetwork,
): RoundsWork => {
  const { alpha, gammaKeep, averageKeep } = settings;
  checkParts({ alpha, gammaKeep, averageKeep });
  const { domain } = terms;
  const { queries, weights } = askedQueries(terms, workload, settings);
  const heads = householdHeads(domain);
  const shape = { ...network, heads: heads.sizes };
  const columns = headsOf(shape);
  const cells = queries.map(({ attributes }) => cellsOf(domain, attributes));
  const most = Math.max(...cells);
  if (most > mostCells)
    throw new InputError(
      `workload: a query may have ${mostCells} cells for h-gem, got one of ${most}; ask for fewer attributes together, or use coarser ones`,
    );
  const rounds = settings.rounds === 0 ? Math.min(mostRounds, queries.length) : settings.rounds;
  // What says nothing of persons may be known beforehand, all of it.
  const apart = queries.map(({ attributes }) => splitLevels(domain, attributes).person.length === 0);
  const trainCells = sum(cells.filter((_, q) => apart[q])) + sum([...cells].sort((a, b) => b - a).slice(0, rounds));
  const tasks = queries.map((query) => countedTask(query, domain, heads, columns));
  const needs = { shape, batch: settings.batch, tasks, trainCells };
  checkGenerator(needs);
  const units = queries.map(({ kind }) => (kind === 'holding' ? 1 : heads.maxSize));
  return { queries, weights, units, rounds, needs };
};

const mostCells = 2 ** 22;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The workload with the attributes of each query in the order of the generator's answers, and what an error of each counts for in the choice. */
const askedQueries = ({ domain, unit }: Terms, workload: Workload, { score }: HGemSettings) => {
  const asked = countedQueries(workload, domain, 'h-gem').map((query, q) => ({
    query: { ...query, attributes: splitLevels(domain, query.attributes).order } as Counted,
    weight: workload.queries[q].weight,
  }));
  // The number of households is measured first, and says nothing more.
  const kept = asked.filter(({ query: { kind, attributes } }) => kind === 'marginal' || attributes.length > 0);
  if (kept.length === 0)
    throw new InputError(
      'workload: must have a query of some attribute for h-gem, got the number of households alone; add one',
    );
  // Public where a person is protected: how many there are in a household.
  if (unit.kind === 'person') kept.push({ query: marginal(), weight: 1 });
  const { maxSize } = householdHeads(domain);
  /** How far a household moves the score of a query, up to a factor that all have; persons move all alike. */
  const reach = ({ kind, attributes }: Counted): number => {
    if (unit.kind === 'person') return 1;
    if (kind === 'marginal') return maxSize;
    const kinds = sizesOf(domain, splitLevels(domain, attributes).person).reduce((all, size) => all * size, 1);
    return score === 'sum' ? Math.min(maxSize, kinds) : 1;
  };
  return {
    queries: kept.map(({ query }) => query),
    weights: kept.map(({ query, weight }) => weight / reach(query)),
  };
};

/** Rounds that a generator is made for where nobody says how many there are: no more follow from the budget. */
const mostRounds = 60;

/**
 * Rounds where nobody says: so many that noise grows no faster than there is more to learn. By the number of households over the noise that one query would
 * have if the `share` that is left measured it alone; the constant was found on made-up households (docs/gem.md).
 */
export const defaultRounds = (
  door: Pick<Door, 'preview'>,
  { queries, units, rounds }: RoundsWork,
  { households, share }: { readonly households: number; readonly share: number },
): number => {
  const noises = queries.map((query, q) => door.preview([query], share)[0].scale / units[q]);
  const signal = households / Math.max(...noises);
  return Math.min(rounds, Math.max(fewestRounds, Math.round(0.8 * Math.sqrt(signal))));
};

const fewestRounds = 5;

/** Multiplications of one step on all that a release may have measured, and of one scoring. */
export const hGemCost = ({ needs, rounds }: RoundsWork) => {
  const { batch, tasks, shape } = needs;
  const parameters = parameterCount(shape);
  const work = sum(tasks.map(taskWork));
  return {
    step: 3 * batch * (parameters + (work / tasks.length) * rounds * 0.5),
    score: batch * (parameters + work),
    cells: sum(tasks.map(taskCells)),
  };
};
