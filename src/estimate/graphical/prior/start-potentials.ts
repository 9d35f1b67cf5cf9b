import { sizesOf } from '../../../domain/domain.js';
import type { Region } from '../../../kernel/arena.js';
import type { LogFactor } from '../../../model/graphical/calibrate.js';
import { addFrom, cellWalk, stridesIn } from '../../../model/graphical/cell-walk.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { cliqueKey } from '../targets.js';

/** Steps add and subtract potentials, which no -Infinity survives. This is zero for every purpose: e^-700 is 1e-304. */
const lowest = -700;

/**
 * Log potentials to start a fit at: those of some factors, zero for what they do not speak of. A factor goes to the clique of the
 * same attributes, else to the smallest one that holds them; one that fits nowhere is left out. Overwrites nothing but the result.
 */
export const startPotentials = (oracle: MarginalOracle, factors: readonly LogFactor[]): Region<Float64Array> => {
  const start = oracle.vector();
  addPotentials(oracle, start, factors);
  return start;
};

/** Adds the potentials of factors to a start, in the same way. Overwrites it. */
export const addPotentials = (
  oracle: MarginalOracle,
  start: Region<Float64Array>,
  factors: readonly LogFactor[],
): void => {
  const { domain } = oracle.tree;
  const places = new Map(oracle.factors.map((factor) => [cliqueKey(factor.attributes), factor]));
  for (const { attributes, potential } of factors) {
    const place =
      places.get(cliqueKey(attributes)) ??
      oracle.factors
        .filter((factor) => attributes.every((name) => factor.attributes.includes(name)))
        .sort((a, b) => a.cells - b.cells)[0];
    if (place === undefined) continue;
    const table = start.view.subarray(place.offset, place.offset + place.cells);
    const walk = cellWalk(
      sizesOf(domain, place.attributes),
      stridesIn(place.attributes, attributes, sizesOf(domain, attributes)),
    );
    addFrom(
      walk,
      table,
      potential.map((value) => Math.max(lowest, value)),
    );
  }
};
