import type { Attribute } from '../../domain/attribute/attribute.js';
import type { Domain } from '../../domain/domain.js';
import { type Network, type NetworkNode, nodeMarginal } from '../../estimate/network/network.js';
import { junctionTree } from '../../model/graphical/tree/junction-tree.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Door, Session } from '../../privacy/session/session.js';
import { marginal } from '../../query/marginal.js';
import { uniformInteger } from '../../random/uniform.js';
import { joinedCells } from './joined-cells.js';
import { checkNetworkOptions, type NetworkOptions, privbayesDefaults, totalShare } from './options.js';
import { maximalParentSets } from './parent-sets.js';

/** A network and noisy marginals of its nodes: all that PrivBayes takes from the table. */
export interface MeasuredNetwork {
  readonly network: Network;
  /** The number of records, then a marginal for each node, in the network's order. */
  readonly measurements: readonly Measurement[];
  /** The number of records: public, or as first counted with noise. */
  readonly total: number;
  /** Cells that a marginal of several attributes may have by theta-usefulness. */
  readonly usefulCells: number;
}

/** The noisy number of records is below the true one by more than so many mean errors in one run of a thousand or fewer. */
const margin = 8;

/**
 * How many cells a marginal may have so that one holds theta times its noise on average (PrivBayes' theta-usefulness), where each of the
 * d attributes has a marginal.
 */
export const usefulCellsOf = (
  { domain, preview }: Pick<Door, 'domain' | 'preview'>,
  { records, theta, measuring }: { readonly records: number; readonly theta: number; readonly measuring: number },
): number => {
  const [noise] = preview(
    domain.attributes.map(({ name }) => marginal(name)),
    measuring,
  );
  return records / (theta * expectedError(noise));
};

/** The attributes that some marginal within the bound holds together with another one; the others stand alone in any network. */
export const connectable = ({ attributes }: Domain, usefulCells: number): readonly Attribute[] => {
  const informative = attributes.filter(({ size }) => size > 1);
  const [least, second] = [...informative].sort((a, b) => a.size - b.size);
  return informative.filter((attribute) => {
    const other = attribute === least ? second : least;
    return other !== undefined && attribute.size * other.size <= usefulCells;
  });
};

/**
 * What PrivBayes does to a private table (Zhang et al. 2017, Algorithms 2 and 4): grows a Bayesian network from a random attribute, by choices of a further one
 * and its parents that have much mutual information, and measures the marginal of every attribute with its parents. Each choice is an exponential
 * mechanism of the session. Attributes too large to be measured with any other are measured alone, without a choice.
 */
export const measureNetwork = async (session: Session, options: NetworkOptions): Promise<MeasuredNetwork> => {
  checkNetworkOptions(options);
  const { domain } = session;
  const { theta = privbayesDefaults.theta, structure = privbayesDefaults.structure, random } = options;
  const end = session.remaining - Math.min(options.share ?? session.remaining, session.remaining);
  const counted = await session.total(totalShare * (session.remaining - end));
  const total = Math.max(1, counted.values[0]);
  const rows = Math.max(2, Math.ceil(total + margin * expectedError(counted.noise)));
  const whole = session.remaining - end;
  const usefulCells = usefulCellsOf(session, { records: total, theta, measuring: (1 - structure) * whole });

  const left = new Set(connectable(domain, usefulCells));
  const share = (structure * whole) / Math.max(1, left.size - 1);
  const network: NetworkNode[] = [];
  const join = (of: Attribute, on: readonly string[]): void => {
    network.push({ of: of.name, on });
    left.delete(of);
  };
  if (left.size > 0) join([...left][uniformInteger(random, left.size)], []);
  for (const rounds = left.size; left.size > 0; ) {
    options.signal?.throwIfAborted();
    const candidates = nodeCandidates(domain, network, [...left], usefulCells, options);
    const asked = candidates.map(({ of, on }) => ({ of: [of.name], on }));
    // Where no pair depends on anything there is nothing to choose privately.
    const blind = candidates.every(({ on }) => on.length === 0) || candidates.length === 1;
    const index = blind
      ? uniformInteger(random, candidates.length)
      : await session.selectDependence(asked, share, { rows });
    join(candidates[index].of, candidates[index].on);
    options.onProgress?.({ stage: 'rounds', done: rounds - left.size, total: rounds });
  }
  const known = new Set(network.map(({ of }) => of));
  for (const { name } of domain.attributes) if (!known.has(name)) network.push({ of: name, on: [] });
  const measured = await session.measure(network.map(nodeMarginal), session.remaining - end);
  return { network, measurements: [counted, ...measured], total, usefulCells };
};

interface NodeCandidate {
  readonly of: Attribute;
  readonly on: readonly string[];
}

/** Every attribute that is left, with the sets of parents that it may have. */
const nodeCandidates = (
  domain: Domain,
  network: Network,
  left: readonly Attribute[],
  usefulCells: number,
  {
    parents = privbayesDefaults.parents,
    candidates = privbayesDefaults.candidates,
    modelBytes,
    random,
  }: NetworkOptions,
): NodeCandidate[] => {
  const names = new Set(network.map(({ of }) => of));
  const available = domain.attributes.filter(({ name }) => names.has(name));
  const sets = Math.max(1, Math.floor(candidates / left.length));
  const within =
    modelBytes === undefined ? (on: readonly string[]) => [on] : affordableParents(domain, network, modelBytes);
  return left.flatMap((of) => {
    const limits = { cells: usefulCells / of.size, parents, sets };
    const found = maximalParentSets(available, limits, random).map((set) => set.map(({ name }) => name));
    const open = new Map(found.flatMap((set) => within(set, of.size)).map((on) => [JSON.stringify(on), on]));
    return [...open.values()].map((on) => ({ of, on }));
  });
};

/** For a set of parents itself, or the largest parts of it that leave the junction tree within the bytes; single ones always do. */
const affordableParents = (
  domain: Domain,
  network: Network,
  bytes: number,
): ((on: readonly string[], size: number) => (readonly string[])[]) => {
  const cellsWith = joinedCells(
    junctionTree(
      domain,
      network.map(({ of, on }) => [...on, of]),
    ),
  );
  const sizes = new Map(domain.attributes.map(({ name, size }) => [name, size]));
  const known = new Map<string, number>();
  const joined = (on: readonly string[]): number => {
    const key = JSON.stringify(on);
    const cells = known.get(key) ?? cellsWith(on);
    known.set(key, cells);
    return cells;
  };
  const within = (on: readonly string[], size: number): (readonly string[])[] => {
    if (on.length < 2 || 8 * (joined(on) + on.reduce((cells, name) => cells * sizes.get(name)!, size)) <= bytes)
      return [on];
    return on.flatMap((_, i) =>
      within(
        on.filter((__, j) => j !== i),
        size,
      ),
    );
  };
  return within;
};
