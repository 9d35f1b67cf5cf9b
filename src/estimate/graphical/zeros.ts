import { constraintsOf } from '../../domain/constraints/constraints-of.js';
import { type Domain, sizesOf } from '../../domain/domain.js';
import type { LogFactor } from '../../model/graphical/calibrate.js';
import { reordered } from '../../model/graphical/reordered.js';
import { attributeOrder } from '../../model/graphical/tree/junction-tree.js';
import { cliqueKey } from './targets.js';

/** What the constraints of a domain forbid as factors of a density, each of other columns: 0 where a record may be, -Infinity where none can. */
export const zeroFactors = (domain: Domain): LogFactor[] => {
  const { factors } = constraintsOf(domain) ?? { factors: [] };
  if (factors.length === 0) return [];
  const order = attributeOrder(domain);
  return factors.map(({ attributes: places, allowed }) => {
    const names = places.map((at) => domain.attributes[at].name);
    const attributes = order.filter((name) => names.includes(name));
    const logs = Float64Array.from(allowed, (one) => (one === 1 ? 0 : -Infinity));
    return { attributes, potential: reordered(logs, names, sizesOf(domain, names), attributes) };
  });
};

/** Factors with -Infinity where the constraints of the domain forbid: a fit comes near to nothing there, and a model must have nothing. */
export const withZeros = (domain: Domain, factors: readonly LogFactor[]): LogFactor[] => {
  const zeros = new Map(zeroFactors(domain).map((zero) => [cliqueKey(zero.attributes), zero.potential]));
  return factors.map(({ attributes, potential }) => {
    const zero = zeros.get(cliqueKey(attributes));
    return {
      attributes,
      potential: zero === undefined ? potential : potential.map((value, cell) => value + zero[cell]),
    };
  });
};
