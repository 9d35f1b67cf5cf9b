import { cellsOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { binaryQueries } from '../../estimate/dual-query/binary-queries.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { attributesOf } from '../../query/answer.js';
import { mostPairCells, pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Asked } from '../asked-workload.js';
import { type GivenParameters, usualEta } from './parameters.js';
import { defaultRestarts, defaultTimeLimit } from './play.js';

/** What can be set of DualQuery. 0 rounds or samples: they follow from the budget and eta, which counts only where one of them does. */
export const dualQueryDefaults = {
  estimator: 'pgm' as 'records' | 'pgm',
  rounds: 0,
  samples: 0,
  eta: usualEta,
  search: 'coordinate' as 'coordinate' | 'programme',
  restarts: defaultRestarts,
  timeLimit: defaultTimeLimit,
  /** Cells of a pair of attributes at most, where no workload is given. */
  maxCells: mostPairCells,
  /** What the junction tree's tables may take; where no workload is given, pairs that would need more are left out. */
  modelMegabytes: 80,
  until: 'validated' as 'converged' | 'validated',
  iterations: 1000,
};

export type DualQuerySettings = typeof dualQueryDefaults;

export const dualQueryChoices = {
  estimator: ['records', 'pgm'],
  search: ['coordinate', 'programme'],
  until: ['validated', 'converged'],
} as const;

/** Of rounds, samples and eta those that are set. */
export const parametersOf = ({ rounds, samples, eta }: DualQuerySettings): GivenParameters => ({
  rounds: rounds || undefined,
  samples: samples || undefined,
  eta: rounds > 0 && samples > 0 ? undefined : eta,
});

/** Pairs of attributes and attributes in none, the smallest first, of which a junction tree within the limit holds the first at least. */
const pairsBySize = ({ domain }: Asked, { maxCells, modelMegabytes }: DualQuerySettings): Workload['queries'] => {
  const bySize = pairsOrOneWays(domain, maxCells).queries.toSorted(
    (a, b) => cellsOf(domain, attributesOf(a.query)) - cellsOf(domain, attributesOf(b.query)),
  );
  if (treeSize(junctionTree(domain, [attributesOf(bySize[0].query)])).bytes > 1e6 * modelMegabytes)
    throw new InputError(
      `modelMegabytes: must hold the marginal of an attribute, got ${modelMegabytes}; allow a larger model`,
    );
  return bySize;
};

/** Pairs in a row that find no room after which no more are tried: of hundreds of attributes there are tens of thousands. */
const mostRefused = 500;

/** Pairs of attributes, the smallest first, as far as a junction tree of them all stays within `modelMegabytes`, and attributes in none alone. */
const heldPairs = (asked: Asked, settings: DualQuerySettings): Workload => {
  const held: Workload['queries'][number][] = [];
  let refused = 0;
  for (const candidate of pairsBySize(asked, settings)) {
    const cliques = [...held, candidate].map(({ query }) => attributesOf(query));
    if (treeSize(junctionTree(asked.domain, cliques)).bytes <= 1e6 * settings.modelMegabytes) {
      held.push(candidate);
      refused = 0;
    } else if (++refused === mostRefused) break;
  }
  return { queries: held };
};

/** Refuses what DualQuery cannot take; cheaper than to say what it takes. */
export const checkDualQueryWorkload = (asked: Asked, settings: DualQuerySettings): void => {
  if (asked.workload === undefined && settings.estimator === 'pgm') pairsBySize(asked, settings);
  else askedDualQueryWorkload(asked, settings);
};

/** What was asked, once it is known that DualQuery can take it, or pairs of attributes of bounded size. */
export const askedDualQueryWorkload = (asked: Asked, settings: DualQuerySettings): Workload => {
  const { domain, workload } = asked;
  if (workload === undefined)
    return settings.estimator === 'pgm' ? heldPairs(asked, settings) : pairsOrOneWays(domain, settings.maxCells);
  const queries = workload.queries.map(({ query }) => query);
  binaryQueries(domain, queries);
  if (settings.estimator === 'pgm') {
    const { bytes } = treeSize(junctionTree(domain, queries.map(attributesOf)));
    if (bytes > 1e6 * settings.modelMegabytes)
      throw new InputError(
        `workload: must have a junction tree of at most ${settings.modelMegabytes} MB for the estimator pgm, got ${Math.ceil(bytes / 1e6)} MB; ask for fewer or smaller marginals, allow a larger model, or use the estimator records`,
      );
  }
  return workload;
};
