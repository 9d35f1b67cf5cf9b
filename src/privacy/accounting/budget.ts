import { InputError } from '../../domain/input-error.js';
import { type Amount, parseAmount, zeroAmount } from './amount.js';
import { epsilonOf, rhoOf } from './conversion.js';
import type { Currency } from './currency.js';
import { decimal, decimalText } from './decimal.js';

/** A budget as a person states it. Numbers are read as the decimals they print as. */
export type BudgetRequest = (
  | { readonly epsilon: number | string; readonly delta?: undefined; readonly rho?: undefined }
  | { readonly epsilon: number | string; readonly delta: number | string; readonly rho?: undefined }
  | { readonly rho: number | string; readonly delta?: number | string | undefined; readonly epsilon?: undefined }
) & {
  /** The part of delta that thresholds may take, such as 1/10: what asks for values needs one. None by default. */
  readonly thresholds?: { readonly numerator: number; readonly denominator: number } | undefined;
};

/**
 * What may be spent in all, and the guarantee that follows: epsilon-DP (`pure`), or (epsilon, delta)-DP from `total` rho
 * (`zcdp`; without a delta the guarantee is the rho itself).
 */
export interface Budget {
  readonly currency: Currency;
  readonly total: Amount;
  /** The epsilon of the statement: as asked for, or what rho gives at delta (rounded up). Absent for a bare rho. */
  readonly epsilon?: Amount | undefined;
  /** The delta at which rho is told as epsilon: a decimal, as given where thresholds have no part of it. */
  readonly delta?: string | undefined;
  /** What thresholds may take beside it: a decimal. With `delta` it is what was asked for. */
  readonly thresholds?: string | undefined;
}

/**
 * Turns a stated budget into what the ledger counts: a pure epsilon, or the rho (rounded down) that keeps (epsilon, delta).
 *
 * @example
 * ```ts
 * const pure = budgetOf({ epsilon: 1 });
 * const zcdp = budgetOf({ epsilon: 1, delta: 1e-9 });
 * ```
 */
export const budgetOf = (request: BudgetRequest): Budget => {
  const { epsilon, delta: asked, rho } = request;
  if ((epsilon === undefined) === (rho === undefined))
    throw new InputError('budget: give either epsilon (with a delta for Gaussian noise) or rho, got both or neither', {
      kind: 'state-budget',
    });
  const { delta, thresholds } = dividedDelta(asked, request.thresholds);
  if (rho !== undefined) {
    const total = granted(parseAmount(rho, 'down', 'rho'), 'rho', rho);
    if (delta === undefined) return { currency: 'zcdp', total };
    return { currency: 'zcdp', total, epsilon: epsilonOf(total, delta), delta: deltaText(delta), thresholds };
  }
  const most = granted(parseAmount(epsilon!, 'down', 'epsilon'), 'epsilon', epsilon!);
  if (delta === undefined) return { currency: 'pure', total: most, epsilon: most };
  const total = granted(rhoOf(most, delta), 'epsilon', epsilon!);
  return { currency: 'zcdp', total, epsilon: most, delta: deltaText(delta), thresholds };
};

/** What is left of a delta for telling rho as epsilon, and what thresholds may take. Together they are at most what was asked for. */
const dividedDelta = (
  delta: number | string | undefined,
  part: BudgetRequest['thresholds'],
): { readonly delta?: number | string | undefined; readonly thresholds?: string | undefined } => {
  if (part === undefined) return { delta };
  if (delta === undefined)
    throw new InputError(
      'budget: values can be asked for with a delta only, got none; give a delta, or list the values in the schema',
      { kind: 'state-budget' },
    );
  const { numerator, denominator } = part;
  if (
    !(Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator) && numerator > 0 && numerator < denominator)
  )
    throw new InputError(
      `thresholds: must be a part of delta, such as 1/10, got ${numerator}/${denominator}; give a fraction between 0 and 1`,
    );
  const whole = decimal(delta, 'delta');
  if (whole.numerator === 0n) throw new InputError(`delta: must be above 0 for thresholds, got ${delta}`);
  const of = (n: number): string =>
    decimalText(
      { numerator: whole.numerator * BigInt(n), denominator: whole.denominator * BigInt(denominator) },
      'down',
    );
  return { delta: of(denominator - numerator), thresholds: of(numerator) };
};

const granted = (amount: Amount, subject: string, value: number | string): Amount => {
  if (amount === zeroAmount) throw new InputError(`${subject}: must grant at least 1e-18, got ${value}`);
  return amount;
};

const deltaText = (delta: number | string): string => {
  decimal(delta, 'delta');
  return String(delta).trim();
};
