/*
 * What figure 2b of Private-PGM compares with: estimation on the whole vector of 10^d cells, for the triples of neighbouring attributes of a
 * chain. A triple's cell is three neighbouring digits of the cell's number, so all its sums are plain loops.
 */

/** All triples of neighbours of `count` attributes of size 10, as inner lengths: a triple's sums run over outer x 1000 x inner. */
const innersOf = (count: number): number[] => Array.from({ length: count - 2 }, (_, i) => 10 ** (count - 3 - i));

const project = (cells: Float64Array, inner: number, sums: Float64Array): void => {
  sums.fill(0);
  for (let at = 0; at < cells.length; )
    for (let cell = 0; cell < 1000; cell++) {
      let sum = 0;
      for (const end = at + inner; at < end; at++) sum += cells[at];
      sums[cell] += sum;
    }
};

/** cells += what each triple's cell has, spread to all cells within it. */
const spread = (values: Float64Array, inner: number, cells: Float64Array): void => {
  for (let at = 0; at < cells.length; )
    for (let cell = 0; cell < 1000; cell++) for (const end = at + inner; at < end; at++) cells[at] += values[cell];
};

/** Seconds of the fastest of some calls. */
const fastest = (calls: number, call: () => void): number => {
  let least = Infinity;
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    call();
    least = Math.min(least, (performance.now() - start) / 1000);
  }
  return least;
};

/** One iteration of multiplicative weights: an update by every triple (equation 2), in seconds. */
export const denseMultiplicativeWeights = (tables: readonly Float64Array[], total: number, calls: number): number => {
  const count = tables.length + 2;
  const cells = new Float64Array(10 ** count).fill(10 ** -count);
  const sums = new Float64Array(1000);
  return fastest(calls, () => {
    innersOf(count).forEach((inner, t) => {
      project(cells, inner, sums);
      let mass = 0;
      const factors = sums.map((sum, cell) => Math.exp((tables[t][cell] / total - sum) / 2));
      for (let cell = 0; cell < 1000; cell++) mass += sums[cell] * factors[cell];
      for (let at = 0; at < cells.length; )
        for (let cell = 0; cell < 1000; cell++) {
          const factor = factors[cell] / mass;
          for (const end = at + inner; at < end; at++) cells[at] *= factor;
        }
    });
  });
};

const norm = (vector: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i] * vector[i];
  return Math.sqrt(sum);
};

const scale = (vector: Float64Array, by: number): void => {
  for (let i = 0; i < vector.length; i++) vector[i] *= by;
};

/** One iteration of LSMR (Fong, Saunders 2011) for min |Q x - y|, in seconds; and the residual after all calls, to see that it is one. */
export const denseLeastSquares = (
  tables: readonly Float64Array[],
  calls: number,
): { readonly seconds: number; readonly residual: number } => {
  const count = tables.length + 2;
  const inners = innersOf(count);
  const u = Float64Array.from({ length: 1000 * tables.length }, (_, i) => tables[Math.floor(i / 1000)][i % 1000]);
  const [v, h, hbar, x] = [0, 1, 2, 3].map(() => new Float64Array(10 ** count));
  const sums = new Float64Array(1000);
  const addTranspose = (): void => {
    for (const [t, inner] of inners.entries()) spread(u.subarray(1000 * t, 1000 * (t + 1)), inner, v);
  };
  let beta = norm(u);
  scale(u, 1 / beta);
  addTranspose();
  let alpha = norm(v);
  scale(v, 1 / alpha);
  h.set(v);
  let [alphabar, zetabar, rho, rhobar, cbar, sbar] = [alpha, alpha * beta, 1, 1, 1, 0];
  const seconds = fastest(calls, () => {
    scale(u, -alpha);
    inners.forEach((inner, t) => {
      project(v, inner, sums);
      for (let cell = 0; cell < 1000; cell++) u[1000 * t + cell] += sums[cell];
    });
    beta = norm(u);
    scale(u, 1 / beta);
    scale(v, -beta);
    addTranspose();
    alpha = norm(v);
    scale(v, 1 / alpha);
    const rhoBefore = rho;
    rho = Math.hypot(alphabar, beta);
    const [c, s] = [alphabar / rho, beta / rho];
    const theta = s * alpha;
    alphabar = c * alpha;
    const rhobarBefore = rhobar;
    const thetabar = sbar * rho;
    rhobar = Math.hypot(cbar * rho, theta);
    [cbar, sbar] = [(cbar * rho) / rhobar, theta / rhobar];
    const zeta = cbar * zetabar;
    zetabar *= -sbar;
    const back = (thetabar * rho) / (rhoBefore * rhobarBefore);
    const step = zeta / (rho * rhobar);
    const turn = theta / rho;
    for (let i = 0; i < x.length; i++) {
      const direction = h[i] - back * hbar[i];
      hbar[i] = direction;
      x[i] += step * direction;
      h[i] = v[i] - turn * h[i];
    }
  });
  let residual = 0;
  inners.forEach((inner, t) => {
    project(x, inner, sums);
    for (let cell = 0; cell < 1000; cell++) residual += (sums[cell] - tables[t][cell]) ** 2;
  });
  return { seconds, residual: Math.sqrt(residual) };
};
