import { InputError } from '../../domain/input-error.js';
import { type Amount, amountScale, amountToNumber, zeroAmount } from './amount.js';
import { checkedDelta, type Delta, epsilonOf, rhoOf } from './conversion.js';
import { squareRoot } from './integer-root.js';
import { bits, ln } from './logarithm.js';
import { millsRatio, pi } from './mills-ratio.js';

// An amount a of gdp is the loss of the Gaussian mechanism with mu^2 = 2 a (Dong, Roth, Su 2022), but for a factor exp(a/256) on delta that pays for
// the noise being discrete (docs/gdp.md):
//   delta = exp(a/256) (Phi(-u) - e^epsilon Phi(-w)),  u = epsilon/mu - mu/2,  w = epsilon/mu + mu/2
//         = exp(a/256) phi(u) (M(u) - M(w)),           M(x) = (1 - Phi(x)) / phi(x), since e^epsilon phi(w) = phi(u).
// Its logarithm needs no exponential. It is evaluated in integers with outward rounding; a search in doubles only says where.

const shift = BigInt(bits);
const one = 1n << shift;

/** ln(2 pi)/2, rounded down. */
const norm = ln(2n * pi.low, one).low / 2n;

/** The factor on delta is exp(a / factorPart). */
const factorPart = 256n;

/** Digits of what is told and granted: a loss is rounded up to so many, a budget down, so that the answer does not hang on how it was searched for. */
const digits = 10;

const ceil = (numerator: bigint, denominator: bigint): bigint => -(-numerator / denominator);

interface Curve {
  /** An upper bound of ln delta, in units of 2^-bits. */
  readonly lnDelta: bigint;
  /** M(u) - M(w) and M(w) as doubles, for Newton's steps. */
  readonly gap: number;
  readonly far: number;
}

/** ln delta at which `amount` is told as `epsilon`; undefined where epsilon is below the amount, which nobody states: delta would be near one half or above. */
const curveAt = (amount: Amount, epsilon: Amount): Curve | undefined => {
  const square = (2n * amount * one * one) / amountScale;
  const mu = { low: squareRoot(square), high: squareRoot(square + 1n) + 1n };
  const scaled = (epsilon * one * one) / amountScale;
  const u = scaled / mu.high - mu.high / 2n - 1n;
  if (u < 0n) return undefined;
  const w = ceil(scaled + one, mu.low) + mu.high / 2n + 1n;
  const far = millsRatio(w).low;
  const gap = millsRatio(u).high - far;
  const halfSquare = (u * u) >> (shift + 1n);
  const factor = ceil(amount * one, factorPart * amountScale);
  return {
    lnDelta: ln(gap, one).high - halfSquare - norm + factor,
    gap: Number(gap >> (shift - 200n)) / 2 ** 200,
    far: Number(far >> (shift - 200n)) / 2 ** 200,
  };
};

/** Whether `amount` of gdp certainly gives (epsilon, delta). */
const holds = (amount: Amount, epsilon: Amount, lnDelta: bigint): boolean => {
  const curve = curveAt(amount, epsilon);
  return curve !== undefined && curve.lnDelta <= lnDelta;
};

/** ln delta, rounded down, in units of 2^-bits. */
const lnOf = ({ numerator, denominator }: Delta): bigint => -ln(denominator, numerator).high;

const toAmount = (value: number): Amount => BigInt(Math.max(1, Math.round(value * 1e18))) as Amount;

/** The amount cut to ten digits. */
const cut = (amount: bigint): bigint => amount - (amount % 10n ** BigInt(Math.max(0, String(amount).length - digits)));

/** Neighbouring amounts of ten digits between which `isBeyond` turns from false to true; it is sought near `guess`, and 0 is taken for before. */
const crossing = (guess: bigint, isBeyond: (amount: Amount) => boolean): readonly [before: bigint, after: bigint] => {
  let before = 0n;
  let after = cut(guess);
  for (let reach = guess / 10n ** 10n + 1n; !isBeyond(after as Amount); reach *= 16n)
    [before, after] = [after, cut(after + reach)];
  for (let reach = guess / 10n ** 10n + 1n; before === 0n && after > reach; reach *= 16n) {
    const less = cut(after - reach);
    if (isBeyond(less as Amount)) after = less;
    else before = less;
  }
  for (;;) {
    const middle = cut((before + after) / 2n);
    const next = middle > before ? middle : cut(after - 1n);
    if (next <= before) return [before, after];
    if (isBeyond(next as Amount)) after = next;
    else before = next;
  }
};

const newtonSteps = 12;

/** What nobody spends, and doubles can still tell apart. */
const most = 10n ** 12n * amountScale;

/**
 * The least epsilon of ten digits for which `amount` of gdp gives (epsilon, delta)-DP; not below the amount itself. Zero loss is zero epsilon.
 */
export const gdpEpsilonOf = (amount: Amount, delta: number | string): Amount => {
  const given = checkedDelta(delta);
  if (amount === zeroAmount) return zeroAmount;
  if (amount > most) throw new InputError('gdp: must be at most 1e12 to be told as an epsilon, got more');
  const target = lnOf(given);
  const goal = Number(target >> (shift - 64n)) / 2 ** 64;
  const least = amountToNumber(amount);
  // From the epsilon of rho, which is above it: ln delta is concave in epsilon, so that Newton's steps come near and stay on one side.
  const start = epsilonOf(amount, delta) > amount ? epsilonOf(amount, delta) : amount;
  let guess = amountToNumber(start);
  for (let step = 0; step < newtonSteps; step++) {
    const curve = curveAt(amount, toAmount(guess));
    if (curve === undefined) break;
    const over = Number(curve.lnDelta >> (shift - 64n)) / 2 ** 64 - goal;
    const next = Math.max(least * (1 + 1e-12), guess + (over * curve.gap) / curve.far);
    if (!Number.isFinite(next) || Math.abs(next - guess) <= 1e-12 * guess) break;
    guess = next;
  }
  const [, after] = crossing(toAmount(guess), (epsilon) => holds(amount, epsilon, target));
  return after as Amount;
};

/**
 * The largest amount of gdp of ten digits that gives (epsilon, delta)-DP, at most epsilon; 0 where that is below 1e-18. `gdpEpsilonOf` of it is never above
 * epsilon.
 */
export const gdpOf = (epsilon: Amount, delta: number | string): Amount => {
  const target = lnOf(checkedDelta(delta));
  const goal = Number(target >> (shift - 64n)) / 2 ** 64;
  const whole = cut(epsilon < most ? epsilon : most) as Amount;
  const start = rhoOf(whole, delta);
  if (start === zeroAmount) return zeroAmount;
  let mu = Math.sqrt(2 * amountToNumber(start));
  for (let step = 0; step < newtonSteps; step++) {
    const curve = curveAt(toAmount(mu ** 2 / 2), whole);
    if (curve === undefined) break;
    const over = Number(curve.lnDelta >> (shift - 64n)) / 2 ** 64 - goal;
    const next = Math.min(mu - over * curve.gap, Math.sqrt(2 * amountToNumber(whole)) * (1 - 1e-12));
    if (!(next > 0) || Math.abs(next - mu) <= 1e-13 * mu) break;
    mu = next;
  }
  const [before] = crossing(toAmount(mu ** 2 / 2), (amount) => !holds(amount, whole, target));
  return before as Amount;
};
