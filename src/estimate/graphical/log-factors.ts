import type { LogFactor } from '../../model/graphical/calibrate.js';
import type { MarginalOracle } from '../../model/graphical/oracle/oracle.js';

/** The factors of a point, each shifted so that its largest potential is 0. */
export const logFactors = ({ factors }: Pick<MarginalOracle, 'factors'>, potentials: Float64Array): LogFactor[] =>
  factors.map(({ attributes, offset, cells }) => {
    const own = potentials.subarray(offset, offset + cells);
    const most = own.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    return { attributes, potential: own.map((value) => value - most) };
  });
