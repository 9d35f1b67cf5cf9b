import type { Running } from '../../domain/running.js';
import { eventYielder } from '../../domain/turns.js';
import { seeded } from '../../random/seeded.js';
import { openProbes, type Probe, perturb } from '../stopping/risk-probes.js';
import { type Descending, stepper, takeStride } from '../stopping/stepper.js';
import { isBehind, isSwing } from '../stopping/stopping-rule.js';
import { mostLonger, type SharedAxis, shareAlong } from './sharing.js';

/** What is measured of one attribute, as one list. */
export interface Alone {
  readonly total: number;
  /** Measured numbers of records in its cells, and the variance of their noise. */
  readonly values: Float64Array;
  readonly variance: number;
}

/** A fit of the shares of one attribute's cells. */
interface LineFit extends Descending {
  /** Sum of squared residuals in variances, not shared. */
  readonly squares: number;
  readonly shares: Float64Array;
}

/** A point of it: log shares up to a constant, shares, and the gradient by these. */
interface Place {
  readonly potentials: Float64Array;
  readonly shares: Float64Array;
  readonly gradient: Float64Array;
  chi: number;
  squares: number;
}

/** Mirror descent on the cells of one attribute, from even shares: what a graphical model of it alone does, at next to no cost. */
const startLine = ({ total, values, variance }: Alone, axis: SharedAxis | undefined): LineFit => {
  const size = values.length;
  const empty = (): Place => ({
    potentials: new Float64Array(size),
    shares: new Float64Array(size),
    gradient: new Float64Array(size),
    chi: 0,
    squares: 0,
  });
  const residuals = new Float64Array(size);
  const settle = (place: Place): void => {
    const { potentials, shares, gradient } = place;
    const most = potentials.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
    let sum = 0;
    for (let i = 0; i < size; i++) {
      shares[i] = Math.exp(potentials[i] - most);
      sum += shares[i];
    }
    let squares = 0;
    for (let i = 0; i < size; i++) {
      shares[i] /= sum;
      residuals[i] = total * shares[i] - values[i];
      squares += residuals[i] ** 2;
    }
    gradient.set(residuals);
    if (axis !== undefined) shareAlong(gradient, axis);
    let shared = 0;
    for (let i = 0; i < size; i++) {
      shared += gradient[i] * residuals[i];
      gradient[i] *= total / variance;
    }
    place.squares = squares / variance;
    place.chi = shared / variance;
  };
  let [present, next] = [empty(), empty()];
  const anchor = present.potentials.slice();
  let pushed = 0;
  settle(present);
  return {
    get chi() {
      return present.chi;
    },
    get squares() {
      return present.squares;
    },
    get shares() {
      return present.shares;
    },
    findDirection: async () => {},
    async attempt(step, momentum = 0) {
      pushed = momentum;
      for (let i = 0; i < size; i++) {
        const landed = present.potentials[i] - step * present.gradient[i];
        next.potentials[i] = landed + momentum * (landed - anchor[i]);
      }
      settle(next);
      let slope = 0;
      for (let i = 0; i < size; i++) slope += present.gradient[i] * (next.shares[i] - present.shares[i]);
      return { chi: next.chi, slope };
    },
    async accept() {
      [present, next] = [next, present];
      for (let i = 0; i < size; i++) anchor[i] = (present.potentials[i] + pushed * anchor[i]) / (1 + pushed);
    },
  };
};

const iterations = 400;
/** As many perturbed fits as together have about so many cells, at least and at most. */
const [probedCells, fewestProbes, mostProbes] = [400, 2, 8];

/** The least estimated error on the way of a validated fit: sum over cells of squared error / variance, but for what all ways have in common. */
export const riskAlone = async (alone: Alone, axis: SharedAxis | undefined, running: Running): Promise<number> => {
  const { values, variance, total } = alone;
  const random = seeded(1);
  const yieldToEvents = eventYielder(running.signal);
  const deviation = Math.sqrt(variance);
  const fit = startLine(alone, axis);
  const probes = Math.min(mostProbes, Math.max(fewestProbes, Math.ceil(probedCells / values.length)));
  const watch = await openProbes(probes, (): Probe<LineFit, LineFit> => {
    const { noise, moved } = perturb([values], [deviation], random);
    const own = startLine({ ...alone, values: moved[0] }, axis);
    return {
      fit: own,
      along: ({ shares }) =>
        noise[0].reduce((sum, each, i) => sum + each * (own.shares[i] - shares[i]), 0) * (total / deviation),
    };
  });
  const unit = variance / total ** 2 / (axis === undefined ? 1 : mostLonger(axis));
  const advance = stepper(fit, unit, { persistent: true, settled: 1.003 });
  let best = { iteration: 0, risk: fit.squares, freedom: 0, time: 0 };
  let before = 0;
  for (let iteration = 1; iteration <= iterations; iteration++) {
    await yieldToEvents();
    const stride = await advance();
    await watch.follow((probe) => takeStride(probe, stride));
    const freedom = await watch.freedom(fit);
    const step = { iteration, risk: fit.squares + 2 * freedom, freedom, time: stride.time };
    if (isSwing(before, freedom)) advance.calm();
    else if (step.risk < best.risk) best = step;
    before = freedom;
    if (stride.time > 3 * best.time + 30 || isBehind(step, best)) break;
  }
  return best.risk;
};
