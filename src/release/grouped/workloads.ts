import type { Domain } from '../../domain/domain.js';
import type { Table } from '../../domain/table.js';
import { cliqueWorkload, leastDependence } from '../../estimate/cliques/clique-workload.js';
import { mutualInformation } from '../../estimate/cliques/mutual-information.js';
import { rootWorkload } from '../../estimate/cliques/root-workload.js';
import { varianceOf } from '../../estimate/total/estimate-total.js';
import type { Session } from '../../privacy/session/session.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import { type GroupLevels, groupsOfRows } from './levels.js';

/** What is measured in every region (W_S) and in every group (W_G). */
export interface GroupWorkloads {
  readonly upper: readonly Marginal[];
  readonly lower: readonly Marginal[];
}

/** Attributes count as nearly independent below this one, unless told. */
export const mostIndependence = 0.2;
/** Cells of a region's marginal at most, unless told. */
export const mostRegionCells = 2500;

export interface GroupWorkloadOptions {
  /** Attributes belong together from this mutual information on, in natural logarithms; `leastDependence` by default. */
  readonly dependence?: number | undefined;
  /** Attributes count as nearly independent below this one; `mostIndependence` by default. */
  readonly independence?: number | undefined;
  /** Cells of an upper marginal at most; `mostRegionCells` by default. */
  readonly maxCells?: number | undefined;
}

/** Chooses both workloads from the public table and the noise that the budget means: nothing private is read or spent. */
export const groupWorkloads = (
  session: Pick<Session, 'domain' | 'preview'>,
  publicTable: Table,
  { keys, regionOf }: GroupLevels,
  {
    dependence = leastDependence,
    independence = mostIndependence,
    maxCells = mostRegionCells,
  }: GroupWorkloadOptions = {},
): GroupWorkloads => {
  const names = namesWithout(session.domain, keys);
  const information = mutualInformation(publicTable, names);
  const groupOf = groupsOfRows(publicTable, keys);
  return {
    upper: cliqueWorkload(information, session.domain, { threshold: dependence, maxCells }),
    lower: rootWorkload(publicTable, information, {
      groupOf,
      regionOf: groupOf.map((group) => regionOf[group]),
      threshold: independence,
      deviation: (queries) => {
        const same = Array.from({ length: queries }, () => marginal(names[0]));
        return Math.sqrt(varianceOf({ noise: session.preview(same, 1 / 4)[0] }));
      },
    }),
  };
};

const namesWithout = ({ attributes }: Domain, keys: readonly string[]): string[] =>
  attributes.map(({ name }) => name).filter((name) => !keys.includes(name));
