/**
 * The kernels: hot loops over one WebAssembly memory. Addresses are byte offsets of any alignment, lengths count
 * elements, counts and codes are unsigned. Nothing is allocated and nothing is checked: callers own the memory that
 * they name. A job describes one marginal over code columns, see `writeJob`.
 */
export interface Kernels {
  /** Overwrites `bytes` bytes with zero. */
  clear(address: number, bytes: number): void;
  /**
   * Adds rows from <= row < to of `jobs` jobs, one after another in memory, to their tables of u32. Uses 16 KiB at
   * `scratch`. About 0.8 ns for each row and job on one core.
   */
  count(job: number, jobs: number, from: number, to: number, scratch: number): void;
  /**
   * The same for persons sorted by household, each counted unless an earlier one of its household is in the same cell: jobs of one copy. `places`
   * has a byte for each row, how many persons of its household come before it. Uses 18 KiB at `scratch`. About 2 ns for each row and job.
   */
  countHoldings(job: number, jobs: number, from: number, to: number, places: number, scratch: number): void;
  /** Overwrites `target` with the cells (u32) of rows from <= row < to in the marginal of a job. */
  cellIndex(job: number, from: number, to: number, target: number): void;
  /** Overwrites the u32 table [outer][inner] at `target` with the sums over the middle axis of [outer][size][inner]. */
  sumAxis(table: number, target: number, outer: number, size: number, inner: number): void;

  /** table[index[i]] += weights[i]: f64 table and weights, u32 index; adds in the order of rows. */
  scatterAdd(index: number, weights: number, table: number, rows: number): void;
  /** weights[i] *= ratio[index[i]]. */
  gatherScale(index: number, ratio: number, weights: number, rows: number): void;
  /** target[i] += factor * table[index[i]]. */
  gatherAdd(index: number, table: number, factor: number, target: number, rows: number): void;
  /**
   * target[base[r] + rest[j]] += given[r][j] * table[r]: rows of `columns` f64, u32 `base` for each of `rows`, u32 `rest` for each of
   * `width`; adds in the order of r and j.
   */
  carry(
    table: number,
    columns: number,
    given: number,
    base: number,
    rows: number,
    rest: number,
    width: number,
    target: number,
  ): void;
  /** Sum of x[index[i]]; the error is below length * 2^-53 times the sum of |x[index[i]]|. */
  sumAt(index: number, x: number, length: number): number;
  /** x[index[i]] *= factor, one after the other. */
  scaleAt(index: number, factor: number, x: number, length: number): void;
  /**
   * Overwrites the cells (f64) of all marginals of `joints` joints, one after another in memory (see `writeJoint`), from `sums` on, with the sums of the
   * weights of `rows` rows from the row `from` on; `weights` begin with that row's. Adds in the order of rows, then along the steps. Uses `jointScratch`
   * bytes and those of the largest joint's tables at `scratch`. About 1.3 ns for each row and joint on one core.
   */
  scatterJoints(
    joint: number,
    joints: number,
    from: number,
    rows: number,
    weights: number,
    sums: number,
    scratch: number,
  ): void;
  /** The transpose: target[i] += the sum over all marginals of what `values` have for the cell of the row `from` + i. */
  gatherJoints(
    joint: number,
    joints: number,
    from: number,
    rows: number,
    values: number,
    target: number,
    scratch: number,
  ): void;
  /** Makes the targets of `steps` projection steps anew, see `writeStep`. About a nanosecond for each row of a step. */
  project(step: number, steps: number): void;
  /** Adds the changes of the sources instead: about three nanoseconds for each changed entry. */
  follow(step: number, steps: number): void;

  /** target[i] = exp(x[i]), relative error below 1e-15; a subnormal result is within 2^-1074 of the true one. */
  exp(x: number, target: number, length: number): void;
  /** target[i] = log(x[i]), relative error below 1e-15; -Infinity at 0, NaN below. */
  log(x: number, target: number, length: number): void;

  /** Sum of x; the error is below 40 * 2^-53 times the sum of |x|. */
  sum(x: number, length: number): number;
  /** Sum of x[i] * y[i]; the error is below 40 * 2^-53 times the sum of |x[i] y[i]|. */
  dot(x: number, y: number, length: number): number;
  /** Largest element, NaN if there is one; -Infinity when empty. */
  max(x: number, length: number): number;
  /** Smallest element, NaN if there is one; Infinity when empty. */
  min(x: number, length: number): number;
  /** Sum of |x[i] - y[i]|; relative error below 40 * 2^-53. */
  distance(x: number, y: number, length: number): number;
  /** Largest |x[i] - y[i]|, NaN if there is one; 0 when empty. */
  maxDistance(x: number, y: number, length: number): number;

  /** x[i] *= factor. */
  scale(x: number, factor: number, length: number): void;
  /** x[i] *= factor, and 0 where that is below `least`. */
  scaleAbove(x: number, factor: number, least: number, length: number): void;
  /** y[i] += factor * x[i]. */
  axpy(factor: number, x: number, y: number, length: number): void;
  /** target[i] = x[i] * y[i]. */
  multiply(x: number, y: number, target: number, length: number): void;

  /**
   * Tables of several attributes, f64, over the axes of a shape, see `writeShape`: every kernel walks the cells of the shape and
   * repeats operands or sums axes away as its steps say. Here target = a * b; the target may be an operand of the same steps.
   */
  multiplyTables(shape: number, a: number, b: number, target: number): void;
  /** target = a * b, and sums += target, in one pass. */
  multiplySumTables(shape: number, a: number, b: number, target: number, sums: number): void;
  /** sums += a * b; the error is below the number of terms times 2^-53 times the sum of |a b|, as above. */
  sumTables(shape: number, a: number, b: number, sums: number): void;
  /** target = a + b. */
  addTables(shape: number, a: number, b: number, target: number): void;
  /** peaks = max(peaks, a + b). */
  peakTables(shape: number, a: number, b: number, peaks: number): void;
  /** sums += exp(a + b - peaks), each as `expShift` does; peaks lie as sums do, and one of -Infinity counts as 0. */
  expSumTables(shape: number, a: number, b: number, peaks: number, sums: number): void;

  /**
   * target[i] = exp(x[i] - shift) as `exp` does, but 0 where the difference is below `least` or -708, and for differences below 709;
   * returns their sum as `sum` does.
   */
  expShift(x: number, shift: number, least: number, target: number, length: number): number;
  /** target[i] = x[i] / y[i], and 0 where y[i] is 0; returns the largest, -Infinity when empty. */
  divide(x: number, y: number, target: number, length: number): number;
  /** target[i] = x[i] - y[i], and -Infinity where y[i] is. */
  subtractLogs(x: number, y: number, target: number, length: number): void;
  /** target[i] = weight * (factor * x[i] - y[i]); returns the sum of weight * (factor * x[i] - y[i])^2 as `dot` does. */
  fitSquares(x: number, factor: number, y: number, weight: number, target: number, length: number): number;

  /**
   * Networks, f32; strides count elements. Here c = a b, or c += a b where `add` is not 0: m x n sums, `k` deep, of which element [i][d]
   * of a lies at i aRow + d aColumn, so that one kernel serves all orientations. Adds by depth in blocks of 256, one block after the
   * other: the same on every machine, and the same on one machine where products are fused with additions (`createNetworkEngine`). Uses
   * `gemmScratch` bytes at `scratch`. About 40 GFLOPS on one core, and fused 50.
   */
  gemm(
    a: number,
    aRow: number,
    aColumn: number,
    b: number,
    bRow: number,
    bColumn: number,
    c: number,
    cRow: number,
    m: number,
    n: number,
    k: number,
    add: number,
    scratch: number,
  ): void;
  /** x[r][i] = max(x[r][i] + bias[i], least). */
  biasMax(x: number, stride: number, bias: number, least: number, rows: number, columns: number): void;
  /** gradient[r][i] = 0 where value[r][i] is not above 0. */
  maskBelow(gradient: number, stride: number, value: number, valueStride: number, rows: number, columns: number): void;
  /** target[i] = sum over r of x[r][i], in their order. */
  sumRows(x: number, stride: number, rows: number, columns: number, target: number): void;
  /**
   * A step of Adam by the sum g of `parts` gradients, `stride` apart: first += (1 - beta1) (g - first), second += (1 - beta2) (g^2 - second),
   * x -= rate first / (scale sqrt(second) + least). Corrections for the start are the caller's, in `rate` and `scale`.
   */
  adam(
    x: number,
    gradient: number,
    stride: number,
    parts: number,
    first: number,
    second: number,
    rate: number,
    scale: number,
    beta1: number,
    beta2: number,
    least: number,
    length: number,
  ): void;
  /** Makes each head of each row a distribution: exp(x) over the head's sum of it. `sizes` lists the heads' columns (u32). Relative error below 1e-6 for moderate heads. */
  softmaxHeads(x: number, stride: number, rows: number, sizes: number, heads: number): void;
  /** g = p (g - sum of p g), head by head: gradients by what `softmaxHeads` took, in place of those by what it gave, p. */
  softmaxBack(p: number, stride: number, g: number, gStride: number, rows: number, sizes: number, heads: number): void;
  /** target[r][i * rightCells + j] = left[r][i] * right[r][j]; rows of the target follow each other. */
  outerRows(
    left: number,
    leftStride: number,
    leftCells: number,
    right: number,
    rightStride: number,
    rightCells: number,
    target: number,
    rows: number,
  ): void;
  /** Adds the gradients by the factors of `outerRows`, given those by its target, whose rows follow each other. */
  outerBack(
    left: number,
    leftStride: number,
    leftCells: number,
    right: number,
    rightStride: number,
    rightCells: number,
    gradient: number,
    leftGradient: number,
    leftGradientStride: number,
    rightGradient: number,
    rightGradientStride: number,
    rows: number,
  ): void;
  /**
   * Households of 1 to maxSize persons, by chances of their sizes and, slot by slot, of their persons' cells: sums over m of sizes[r][m] times what m
   * persons count in a cell, a household at most once (`once` 1), or each of them (0). With `apart` 1 one list of cells for each m. Slots
   * lie `slotStride` elements apart, rows of a slot `rowStride`; rows of the target follow each other.
   */
  slotRows(
    sizes: number,
    sizeStride: number,
    slots: number,
    slotStride: number,
    rowStride: number,
    maxSize: number,
    cells: number,
    once: number,
    apart: number,
    target: number,
    rows: number,
  ): void;
  /**
   * Adds the gradients by sizes and slots of `slotRows`, given those by its target, whose rows follow each other; with `slotGradient` 0, those by sizes
   * alone. Uses 16 maxSize bytes at `scratch`.
   */
  slotBack(
    sizes: number,
    sizeStride: number,
    slots: number,
    slotStride: number,
    rowStride: number,
    maxSize: number,
    cells: number,
    once: number,
    apart: number,
    gradient: number,
    sizeGradient: number,
    sizeGradientStride: number,
    slotGradient: number,
    slotGradientStride: number,
    rowGradientStride: number,
    scratch: number,
    rows: number,
  ): void;

  /**
   * Weights w of `size` answers, 1 at first, through rounds. In each the w of the answers hit are multiplied by `less`, then every w by its
   * growth, and the sum of all w + 1 / w is added to sums[round], with a relative error below 4 (rounds + size) 2^-53. The places hit in
   * round t (u32) stand from starts[t] to starts[t + 1] (u32) of `hits`; the growths are followed by their inverses; `scratch` takes 16
   * bytes an answer.
   */
  roundSums(
    starts: number,
    hits: number,
    rounds: number,
    less: number,
    growth: number,
    size: number,
    scratch: number,
    sums: number,
  ): void;
  /** The same rounds: slopes[i] += factors[round] * (w[i] - 1 / w[i]). */
  roundSlopes(
    starts: number,
    hits: number,
    rounds: number,
    less: number,
    growth: number,
    size: number,
    scratch: number,
    factors: number,
    slopes: number,
  ): void;
}

export type KernelName = keyof Kernels;

/** The kernels of networks, of which there is a build with fused multiplication and addition, see `createNetworkEngine`. */
export type NetworkKernels = Pick<
  Kernels,
  | 'clear'
  | 'gemm'
  | 'biasMax'
  | 'maskBelow'
  | 'sumRows'
  | 'adam'
  | 'softmaxHeads'
  | 'softmaxBack'
  | 'outerRows'
  | 'outerBack'
  | 'slotRows'
  | 'slotBack'
>;

/** One call of a kernel as plain data, which a worker can receive. */
export type KernelCall = readonly [name: KernelName, ...args: number[]];

/** Bytes that `count` and `countHoldings` need at `scratch`: a block of cells, and the persons of a household before it. */
export const countScratch = 18 * 1024;

/** Bytes that `scatterJoints` and `gatherJoints` need at `scratch` before the tables of a joint: the cells of a block of rows. */
export const jointScratch = 16 * 1024;

/** Bytes that `gemm` needs at `scratch`: packed blocks of 256 x 512 and 64 x 256, and a tile. */
export const gemmScratch = 4 * (256 * 512 + 64 * 256 + 32);
