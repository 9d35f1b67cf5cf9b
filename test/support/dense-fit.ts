import { cellsOf, type Domain } from '../../src/domain/domain.js';
import { loadHighs } from '../../src/kernel/load-highs.js';
import { addFrom, sumInto } from '../../src/model/graphical/cell-walk.js';
import { attributeOrder } from '../../src/model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../src/privacy/measurement.js';
import { answerFrom, attributesOf } from '../../src/query/answer.js';
import { denseMarginal, denseWalk } from './dense-oracle.js';
import { solve } from './solve.js';

/** Answers of a query from the full table (row-major in the tree's order) of probabilities, for so many records. */
export const denseAnswers = (
  domain: Domain,
  table: Float64Array,
  { query }: Pick<Measurement, 'query'>,
  total: number,
): Float64Array =>
  answerFrom(query, domain, denseMarginal(domain, table, attributesOf(query))).map((value) => value * total);

/** Half the sum of squared residuals in variances (Gaussian noise). */
export const denseLoss = (
  domain: Domain,
  table: Float64Array,
  measurements: readonly Measurement[],
  total: number,
): number =>
  measurements.reduce((sum, measurement) => {
    const answers = denseAnswers(domain, table, measurement, total);
    const squares = answers.reduce((all, answer, i) => all + (answer - measurement.values[i]) ** 2, 0);
    return sum + squares / measurement.noise.scale ** 2 / 2;
  }, 0);

/**
 * The least squared loss that any distribution over the whole domain has, by an interior-point method on the full table: Newton
 * steps on the loss less `barrier` times the sum of logarithms, the barrier lessened to nothing. Knows nothing of graphs.
 */
export const leastSquares = (
  domain: Domain,
  measurements: readonly Measurement[],
  total: number,
): { table: Float64Array; loss: number } => {
  const n = cellsOf(domain, attributeOrder(domain));
  const unit = (cell: number): Float64Array => Float64Array.from({ length: n }, (_, i) => (i === cell ? 1 : 0));
  const columns = Array.from({ length: n }, (_, cell) =>
    measurements.flatMap((measurement) =>
      [...denseAnswers(domain, unit(cell), measurement, total)].map((value) => value / measurement.noise.scale),
    ),
  );
  const y = measurements.flatMap(({ values, noise }) => [...values].map((value) => value / noise.scale));
  const hessian = columns.map((a) => columns.map((b) => a.reduce((sum, value, i) => sum + value * b[i], 0)));
  const pull = columns.map((a) => a.reduce((sum, value, i) => sum + value * y[i], 0));
  let p = new Float64Array(n).fill(1 / n);
  for (let barrier = hessian[0][0]; barrier > 1e-11; barrier /= 8)
    for (let step = 0; step < 60; step++) {
      const gradient = pull.map(
        (value, i) => hessian[i].reduce((sum, h, j) => sum + h * p[j], 0) - value - barrier / p[i],
      );
      const matrix = Array.from({ length: n + 1 }, (_, i) =>
        Array.from({ length: n + 1 }, (_, j) =>
          i < n && j < n ? hessian[i][j] + (i === j ? barrier / p[i] ** 2 : 0) : i === n && j === n ? 0 : 1,
        ),
      );
      const direction = solve(matrix, [...gradient.map((value) => -value), 0]).slice(0, n);
      let length = 1;
      direction.forEach((d, i) => {
        if (d < 0) length = Math.min(length, (-0.95 * p[i]) / d);
      });
      p = p.map((value, i) => value + length * direction[i]);
      if (Math.max(...direction.map((d, i) => Math.abs(d) / p[i])) < 1e-9) break;
    }
  return { table: p, loss: denseLoss(domain, p, measurements, total) };
};

/** The least sum of absolute residuals in scales that any distribution has: a linear programme over the full table. */
export const leastAbsolute = async (
  domain: Domain,
  measurements: readonly Measurement[],
  total: number,
): Promise<number> => {
  const n = cellsOf(domain, attributeOrder(domain));
  const rows: string[] = [];
  const costs: string[] = [];
  const columns = Array.from({ length: n }, (_, cell) => {
    const unit = Float64Array.from({ length: n }, (_, i) => (i === cell ? 1 : 0));
    return measurements.map((measurement) => denseAnswers(domain, unit, measurement, total));
  });
  measurements.forEach(({ values, noise }, m) => {
    values.forEach((value, i) => {
      const terms = columns.flatMap((column, cell) => (column[m][i] === 0 ? [] : [`${column[m][i]} p${cell}`]));
      rows.push(`r${m}_${i}: ${terms.join(' + ')} - u${m}_${i} + v${m}_${i} = ${value}`);
      costs.push(`${1 / noise.scale} u${m}_${i} + ${1 / noise.scale} v${m}_${i}`);
    });
  });
  const whole = columns.map((_, cell) => `p${cell}`).join(' + ');
  const highs = await loadHighs();
  const solution = highs.solve(
    `Minimize\n obj: ${costs.join('\n + ')}\nSubject To\n ${rows.join('\n ')}\n one: ${whole} = 1\nEnd`,
  );
  return solution.ObjectiveValue;
};

/**
 * Iterative proportional fitting on the full table: the distribution with these marginals (of one distribution) that is nearest to
 * `start` in the Kullback-Leibler divergence (Csiszar 1975).
 */
export const proportionalFitting = (
  domain: Domain,
  start: Float64Array,
  marginals: readonly { readonly attributes: readonly string[]; readonly shares: Float64Array }[],
  sweeps = 400,
): Float64Array => {
  let table = start.slice();
  const walks = marginals.map(({ attributes }) => denseWalk(domain, attributes));
  for (let sweep = 0; sweep < sweeps; sweep++)
    marginals.forEach(({ shares }, m) => {
      const own = new Float64Array(shares.length);
      sumInto(walks[m], table, own);
      const ratios = shares.map((share, cell) => Math.log(share / own[cell]));
      const logs = new Float64Array(table.length);
      addFrom(walks[m], logs, ratios);
      table = table.map((value, cell) => value * Math.exp(logs[cell]));
    });
  return table;
};

/** In nats. */
export const entropyOf = (table: Float64Array): number =>
  table.reduce((sum, value) => (value > 0 ? sum - value * Math.log(value) : sum), 0);
