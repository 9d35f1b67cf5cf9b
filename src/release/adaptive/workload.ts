import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { defaultProbes } from '../../estimate/stopping/risk-probes.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { binomial, combinations } from '../../query/workload/combinations.js';
import { downwardClosure } from '../../query/workload/downward-closure.js';
import { pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import { union, type Workload, workloadCells, workloadOf } from '../../query/workload/workload.js';
import type { Asked } from '../asked-workload.js';
import { givenMarginals } from '../marginals-of.js';
import type { Lighter } from '../mechanism.js';

/** What AIM is told where nobody says otherwise, from a program and from the command line alike. */
export const aimDefaults = {
  /** Attributes of a marginal at most. */
  degree: 3,
  /** Cells of a marginal at most. */
  maxCells: 10_000,
  /** What the junction tree's tables may take when all of the budget is spent, as the peers have it. */
  modelMegabytes: 80,
  /** Iterations of each round's estimate at most. */
  iterations: 1000,
  /** Perturbed fits that judge where the last estimate stops, at most. */
  probes: defaultProbes,
};

/** What AIM and JAM can do with less of. */
export const aimLighter: readonly Lighter<keyof typeof aimDefaults>[] = [
  { setting: 'modelMegabytes', least: 1, what: 'smaller junction trees hold fewer marginals together' },
  { setting: 'probes', least: 1, what: 'where the last fit should stop is judged by fewer perturbed fits' },
  { setting: 'degree', least: 2, what: 'fewer candidates' },
  { setting: 'maxCells', least: 64, what: 'larger marginals are no candidates' },
  { setting: 'iterations', least: 50, what: 'rounds are fitted less closely' },
];

export type AimSettings = typeof aimDefaults;

export const modelBytesOf = ({ modelMegabytes }: Pick<AimSettings, 'modelMegabytes'>): number => 1e6 * modelMegabytes;

/** Marginals, and cells of them together, that AIM looks at every round, at most. */
const mostCandidates = 2000;
const mostCandidateCells = 3e7;

/**
 * What AIM's candidates lie in: all sets of `degree` attributes of bounded size where they can all be looked at every round,
 * otherwise of fewer attributes; and all pairs, or attributes in no such pair alone.
 */
export const aimWorkload = (
  domain: Domain,
  { degree, maxCells }: Pick<AimSettings, 'degree' | 'maxCells'> = aimDefaults,
): Workload => {
  const { length } = domain.attributes;
  const small = pairsOrOneWays(domain, maxCells);
  for (let k = Math.min(degree, length); k > 2; k--) {
    if (binomial(length, k) > mostCandidates) continue;
    const sets = [...combinations(length, k)]
      .map((indices) => indices.map((index) => domain.attributes[index].name))
      .filter((names) => cellsOf(domain, names) <= maxCells);
    const workload = union(workloadOf(sets.map((names) => marginal(...names))), small);
    if (sets.length > 0 && workloadCells(workload, domain) <= mostCandidateCells) return workload;
  }
  return small;
};

/** Cells that a round may look at together where the workload is given: two tables of them are held. */
const mostGivenCells = 1e8;

/** A workload that a person gave, once it is known that AIM can take it: before anything is spent. */
const givenAimWorkload = (given: Workload, domain: Domain, modelBytes: number, mechanism: string): Workload => {
  const workload = givenMarginals(given, mechanism);
  // What no model could hold is never looked at.
  const cells = downwardClosure(workload, domain)
    .queries.map(({ query }) => cellsOf(domain, attributesOf(query)))
    .filter((count) => 8 * count <= modelBytes)
    .reduce((sum, count) => sum + count, 0);
  if (cells > mostGivenCells)
    throw new InputError(
      `workload: the marginals within it may have ${mostGivenCells} cells together for ${mechanism}, got ${cells}; ask for fewer or smaller marginals`,
    );
  return workload;
};

/** What was asked, or what the settings choose. */
export const askedAimWorkload = ({ domain, workload }: Asked, settings: AimSettings, mechanism = 'aim'): Workload =>
  workload === undefined
    ? aimWorkload(domain, settings)
    : givenAimWorkload(workload, domain, modelBytesOf(settings), mechanism);
