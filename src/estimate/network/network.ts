import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type Marginal, marginal } from '../../query/marginal.js';

/** An attribute of a Bayesian network and the attributes it depends on. */
export interface NetworkNode {
  readonly of: string;
  /** Its parents, all of them earlier in the network. */
  readonly on: readonly string[];
}

/** Every attribute of a domain once, parents first: the product of the conditional distributions is a distribution. */
export type Network = readonly NetworkNode[];

/** The marginal that tells the conditional distribution of a node: its parents, then itself, which varies fastest. */
export const nodeMarginal = ({ of, on }: NetworkNode): Marginal => marginal(...on, of);

/** Refuses what is no network over the attributes of the domain. */
export const checkNetwork = (domain: Domain, network: Network): void => {
  const seen = new Set<string>();
  for (const { of, on } of network) {
    const stranger = on.find((name) => !seen.has(name));
    if (stranger !== undefined)
      throw new InputError(`network: parents must come before ${JSON.stringify(of)}, got ${JSON.stringify(stranger)}`);
    seen.add(of);
  }
  if (
    seen.size !== network.length ||
    seen.size !== domain.attributes.length ||
    !domain.attributes.every(({ name }) => seen.has(name))
  )
    throw new InputError('network: must have every attribute of the domain once, got another list');
};
