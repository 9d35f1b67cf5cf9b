import { onSlice as on, type Weighted } from '../../model/support/weighted.js';

/** The weights of a descent in kernel memory, as logarithms: they stay normalised up to what an attempt changes. */
export interface LogWeights {
  /** Scatters the weights of the start. */
  scatterStart(): Promise<void>;
  /** Gathers the direction from the potentials of the maps. */
  findDirection(): Promise<void>;
  /**
   * Scatters the weights that a step against the direction and momentum lead to: their sum, and how far the mean of the direction
   * has moved.
   */
  attempt(step: number, momentum: number): Promise<{ mass: number; slope: number }>;
  /** Makes the last attempt, whose weights had this sum, the present. */
  accept(mass: number): Promise<void>;
  /** The present weights, with sum 1; a new array. */
  distribution(): Promise<Float64Array>;
  /** Kullback-Leibler divergence of the present weights from those at the start. */
  divergence(): Promise<number>;
}

/** The sum over all slices of the result of one of their calls, counted from the end where negative. */
const totalOf = (results: readonly (readonly number[])[], call: number): number =>
  results.reduce((sum, lane) => sum + lane.at(call)!, 0);

/** Starts at the weights that there are. */
export const logWeights = (rows: Weighted): LogWeights => {
  const [log, start, direction, attempted, weights, ones] = Array.from({ length: 6 }, () => rows.vector());
  /** The last point before momentum moved it on, and the one under trial. */
  const [anchor, landed] = [rows.vector(), rows.vector()];
  ones.view.fill(1);
  weights.view.set(rows.start);
  /** The mean of the direction at the present weights. */
  let before = 0;
  return {
    async scatterStart() {
      await rows.run((slice) => [
        on(slice, 'log', weights, log),
        on(slice, 'log', weights, start),
        on(slice, 'log', weights, anchor),
        ...rows.scatter(weights, slice),
      ]);
    },
    async findDirection() {
      const results = await rows.run((slice) => [
        ...rows.gather(direction, slice),
        on(slice, 'exp', log, weights),
        on(slice, 'dot', weights, direction),
        on(slice, 'sum', weights),
      ]);
      before = totalOf(results, -2) / totalOf(results, -1);
    },
    async attempt(step, momentum) {
      const results = await rows.run((slice) => [
        on(slice, 'multiply', log, ones, landed),
        on(slice, 'axpy', -step, direction, landed),
        on(slice, 'multiply', landed, ones, attempted),
        on(slice, 'scale', attempted, 1 + momentum),
        on(slice, 'axpy', -momentum, anchor, attempted),
        on(slice, 'exp', attempted, weights),
        on(slice, 'sum', weights),
        on(slice, 'dot', weights, direction),
        ...rows.scatter(weights, slice),
      ]);
      const mass = totalOf(results, 6);
      return { mass, slope: totalOf(results, 7) / mass - before };
    },
    async accept(mass) {
      // Keeps the logarithms normalised, so that exp neither overflows nor drifts towards zero.
      const shift = -Math.log(mass);
      await rows.run((slice) => [
        on(slice, 'multiply', attempted, ones, log),
        on(slice, 'axpy', shift, ones, log),
        on(slice, 'multiply', landed, ones, anchor),
        on(slice, 'axpy', shift, ones, anchor),
      ]);
    },
    async distribution() {
      await rows.run((slice) => [on(slice, 'exp', log, attempted)]);
      const present = attempted.view.slice();
      const sum = present.reduce((all, weight) => all + weight, 0);
      return present.map((weight) => weight / sum);
    },
    async divergence() {
      const results = await rows.run((slice) => [
        on(slice, 'exp', log, attempted),
        on(slice, 'dot', attempted, log),
        on(slice, 'dot', attempted, start),
      ]);
      return Math.max(0, totalOf(results, 1) - totalOf(results, 2));
    },
  };
};
