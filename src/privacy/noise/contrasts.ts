import { InputError } from '../../domain/input-error.js';
import { centred } from '../../query/block/kinds/centre.js';
import type { Entropy } from '../entropy.js';
import { multiplyRational, type Rational, rational, rationalNumber } from '../rational.js';
import { wholeCounts } from './add-noise.js';
import { gaussianLaw } from './gaussian.js';
import { referenceGaussian } from './reference.js';
import { cachedSampler } from './sampler-cache.js';

/*
 * Noisy contrasts of a marginal: what leaves of a residual that is measured (docs/privacy.md). The marginal is brought to a grid of 1/cells
 * record, discrete Gaussian noise is added there, and of the sum only the successive differences along every axis are kept.
 */

/** Cells of a marginal times the terms of a contrast, at most: then no count below `largestCount` overflows. */
const largestGrid = 2 ** 24;
const exactSum = 2 ** 52;

const cellsIn = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** Counts stay here: cells x terms of a contrast x count is at most 2^52. At least 2^28, and it moves no two counts further apart. */
const largestCount = (sizes: readonly number[]): number => Math.floor(exactSum / (cellsIn(sizes) * 2 ** sizes.length));

/** Refuses residuals and noise for which double arithmetic would not do, by public numbers alone. */
export const checkContrasts = (sizes: readonly number[], sigmaSquared: Rational): void => {
  const grid = cellsIn(sizes) * 2 ** sizes.length;
  if (grid > largestGrid)
    throw new InputError(
      `residual: its cells times 2^attributes must be at most ${largestGrid}, got ${grid}; use fewer attributes or coarser cells`,
    );
  if (!(Math.sqrt(rationalNumber(sigmaSquared)) * grid <= exactSum / 16))
    throw new InputError(
      'residual: its noise must stay below 2^48 on the grid of its cells, got more; the scale is too large for any use, spend more budget',
    );
};

/** Visits every cell that has a neighbour before it along an axis, and that neighbour, axis by axis; `step` -1 goes backwards. */
const alongAxes = (sizes: readonly number[], step: 1 | -1, visit: (at: number, before: number) => void): void => {
  const cells = cellsIn(sizes);
  let inner = cells;
  for (const size of sizes) {
    const stretch = inner;
    inner /= size;
    for (let start = 0; start < cells; start += stretch) {
      const [first, last] = [start + inner, start + stretch - 1];
      for (let k = 0; k < stretch - inner; k++) {
        const at = step === 1 ? first + k : last - k;
        visit(at, at - inner);
      }
    }
  }
};

/** Positions of the cells that are first along no axis, in order: where the contrasts stand. */
const contrastCells = (sizes: readonly number[]): number[] => {
  let cells = [0];
  for (const size of sizes)
    cells = cells.flatMap((cell) => Array.from({ length: size - 1 }, (_, k) => cell * size + k + 1));
  return cells;
};

/** Noise for one cell, of any size. */
export type Draw = () => number | bigint;

/**
 * Successive differences, along all axes, of cells x counts + noise: prod (n - 1) integers below 2^53 in size. Exact: differences
 * of the counts and of the noise are taken apart, each a sum of 2^attributes terms; where noise is so large that a double might not hold
 * such a sum, in unbounded integers, and a contrast beyond 2^53 then stays there. So nothing but the contrasts decides what leaves:
 * an error about the sum of one cell and its noise would tell more.
 */
export const contrastsOf = (counts: Float64Array, sizes: readonly number[], draw: Draw): Float64Array => {
  const most = largestCount(sizes);
  const cells = cellsIn(sizes);
  const scaled = wholeCounts(counts).map((count) => cells * Math.min(count, most));
  const noise = Array.from(scaled, draw);
  const differ = (values: Float64Array) => {
    alongAxes(sizes, -1, (at, before) => {
      values[at] -= values[before];
    });
    return values;
  };
  const places = contrastCells(sizes);
  const signal = differ(scaled);
  const safe = exactSum / 2 ** sizes.length;
  if (noise.every((own) => own <= safe && own >= -safe)) {
    const own = differ(Float64Array.from(noise, Number));
    return Float64Array.from(places, (place) => signal[place] + own[place]);
  }
  const big = noise.map(BigInt);
  alongAxes(sizes, -1, (at, before) => {
    big[at] -= big[before];
  });
  const limit = BigInt(Number.MAX_SAFE_INTEGER);
  return Float64Array.from(places, (place) => {
    const sum = BigInt(signal[place]) + big[place];
    return Number(sum > limit ? limit : sum < -limit ? -limit : sum);
  });
};

/** The noisy contrasts of a marginal's counts: noise of parameter sigma^2 in records, (cells sigma)^2 on the grid. */
export const noisyContrasts = (
  counts: Float64Array,
  sizes: readonly number[],
  sigmaSquared: Rational,
  entropy: Entropy,
): Float64Array => {
  const onGrid = multiplyRational(sigmaSquared, rational(BigInt(cellsIn(sizes)) ** 2n));
  const sampler = cachedSampler(gaussianLaw(onGrid));
  return contrastsOf(
    counts,
    sizes,
    sampler === undefined ? () => referenceGaussian(onGrid, entropy) : () => sampler(entropy),
  );
};

/** The residual, in records, that has these contrasts on the grid: the sums of the contrasts, centred along every axis. */
export const residualOf = (contrasts: Float64Array, sizes: readonly number[]): Float64Array => {
  const cells = cellsIn(sizes);
  let values: Float64Array = new Float64Array(cells);
  contrastCells(sizes).forEach((place, index) => {
    values[place] = contrasts[index];
  });
  alongAxes(sizes, 1, (at, before) => {
    values[at] += values[before];
  });
  let [outer, inner] = [1, cells];
  for (const size of sizes) {
    inner /= size;
    values = centred(size, values, outer, inner);
    outer *= size;
  }
  return values.map((value) => value / cells);
};
