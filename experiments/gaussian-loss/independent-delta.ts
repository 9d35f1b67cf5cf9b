/** Counts that a unit changes by the same whole number, under discrete Gaussian noise of one parameter: so many of them. */
export interface Shifted {
  readonly count: number;
  readonly shift: number;
  readonly sigmaSquared: number;
}

// delta(epsilon) = E[(e^L - e^epsilon)_+] for the privacy loss L = sum of (2 v z - v^2)/(2 sigma^2) over discrete Gaussian z: two ways to compute it, neither of
// which is that of src/privacy (a continuous variable behind the discrete one, and its closed form).

/** The loss of some counts, outcome by outcome: the chances of their sum, by repeated convolution. */
const lossesOf = ({
  count,
  shift,
  sigmaSquared,
}: Shifted): { readonly first: number; readonly chances: Float64Array } => {
  const single = (): { first: number; chances: Float64Array } => {
    const reach = Math.ceil(12 * Math.sqrt(sigmaSquared)) + 2;
    const chances = Float64Array.from({ length: 2 * reach + 1 }, (_, i) =>
      Math.exp(-((i - reach) ** 2) / (2 * sigmaSquared)),
    );
    const mass = chances.reduce((sum, chance) => sum + chance, 0);
    return { first: -reach, chances: chances.map((chance) => chance / mass) };
  };
  const convolved = (a: ReturnType<typeof single>, b: ReturnType<typeof single>) => {
    const chances = new Float64Array(a.chances.length + b.chances.length - 1);
    for (const [i, chance] of a.chances.entries())
      for (let j = 0; j < b.chances.length; j++) chances[i + j] += chance * b.chances[j];
    // What lies beyond 14 standard deviations of the sum is left out: below 1e-40.
    const first = a.first + b.first;
    const far = Math.ceil(14 * Math.sqrt(count * sigmaSquared)) + 2;
    const start = Math.max(0, -far - first);
    return { first: first + start, chances: chances.slice(start, Math.max(start, far - first + 1)) };
  };
  let power = single();
  let sum: ReturnType<typeof single> | undefined;
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) sum = sum === undefined ? power : convolved(sum, power);
    if (left > 1) power = convolved(power, power);
  }
  return { first: sum!.first * shift, chances: sum!.chances };
};

/** By adding up all outcomes: for plans of at most two kinds of counts. */
const deltaByOutcomes = (plan: readonly Shifted[], epsilon: number): number => {
  const [one, two] = plan;
  const drift = plan.reduce(
    (sum, { count, shift, sigmaSquared }) => sum + (count * shift ** 2) / (2 * sigmaSquared),
    0,
  );
  const a = lossesOf(one);
  const b = two === undefined ? { first: 0, chances: Float64Array.of(1) } : lossesOf(two);
  const at = (kind: Shifted | undefined, first: number, i: number) =>
    kind === undefined ? 0 : (first + i * kind.shift) / kind.sigmaSquared;
  let delta = 0;
  for (const [i, chance] of a.chances.entries()) {
    const own = at(one, a.first, i) - drift;
    for (let j = b.chances.length - 1; j >= 0; j--) {
      const loss = own + at(two, b.first, j);
      if (loss <= epsilon) break;
      delta += chance * b.chances[j] * (Math.exp(loss) - Math.exp(epsilon));
    }
  }
  return delta;
};

/** Parts that belong to one loss: ln E[e^(sL)] along a line s = c + it, as its real and imaginary part. */
const logMoment = (plan: readonly Shifted[], c: number, t: number): readonly [number, number] => {
  let [real, imaginary] = [0, 0];
  for (const { count, shift, sigmaSquared } of plan) {
    // E[e^(s v z / sigma^2)] is the sum over whole k of e^((tau + 2 pi i k)^2 sigma^2 / 2), tau = s v / sigma^2, over the same at tau = 0 (Poisson).
    const [x, y] = [(c * shift) / sigmaSquared, (t * shift) / sigmaSquared];
    const near = -Math.round(y / (2 * Math.PI));
    let [re, im, mass] = [0, 0, 0];
    for (let k = -3; k <= 3; k++) {
      const turned = y + 2 * Math.PI * (near + k);
      const size = Math.exp(((y + 2 * Math.PI * near) ** 2 - turned ** 2) * (sigmaSquared / 2));
      re += size * Math.cos(x * turned * sigmaSquared);
      im += size * Math.sin(x * turned * sigmaSquared);
      mass += Math.exp(-((2 * Math.PI * k) ** 2) * (sigmaSquared / 2));
    }
    const head = ((x ** 2 - (y + 2 * Math.PI * near) ** 2) * sigmaSquared) / 2;
    real += count * (head + Math.log(Math.hypot(re, im) / mass) - (c * shift ** 2) / (2 * sigmaSquared));
    imaginary += count * (Math.atan2(im, re) - (t * shift ** 2) / (2 * sigmaSquared));
  }
  return [real, imaginary];
};

/**
 * By inverting the transform of the loss: delta = 1/(2 pi i) times the integral of E[e^(sL)] e^(-(s-1) epsilon) / (s (s-1)) over a line of real part c > 1, through the
 * saddle. Up to 300 c of it: what lies beyond is below a 300th of the lattice's part, which is small for plans of many counts or of several kinds.
 */
const deltaByTransform = (plan: readonly Shifted[], epsilon: number): number => {
  const square = plan.reduce((sum, { count, shift, sigmaSquared }) => sum + (count * shift ** 2) / sigmaSquared, 0);
  const mu = Math.sqrt(square);
  const c = 1 + Math.max(epsilon / square - 0.5, 1 / mu);
  const step = 0.4 / mu;
  const [base] = logMoment(plan, c, 0);
  let sum = 0;
  for (let n = 0; n * step <= 300 * c; n++) {
    const t = n * step;
    const [real, imaginary] = logMoment(plan, c, t);
    const size = Math.exp(real - base);
    if (size < 1e-17) continue;
    // 1 / (s (s - 1)) for s = c + it.
    const [re, im] = [c * (c - 1) - t * t, (2 * c - 1) * t];
    const phase = imaginary - t * epsilon;
    const value = (size * (Math.cos(phase) * re + Math.sin(phase) * im)) / (re * re + im * im);
    sum += n === 0 ? value / 2 : value;
  }
  return (Math.exp(base - (c - 1) * epsilon) * sum * step) / Math.PI;
};

/** delta of a plan at epsilon: outcome by outcome where there are few. */
export const independentDelta = (plan: readonly Shifted[], epsilon: number): number => {
  // One kind of counts has few outcomes, and its lattice is seen farthest: the transform is off by a hundred-thousandth of delta there.
  const most = plan.length === 1 ? 100_000 : 4000;
  const few = plan.length <= 2 && plan.every(({ count, sigmaSquared }) => count * sigmaSquared <= most);
  return few ? deltaByOutcomes(plan, epsilon) : deltaByTransform(plan, epsilon);
};
