import { InputError } from '../../domain/input-error.js';
import { type Amount, parseAmount, zeroAmount } from './amount.js';
import { epsilonOf, rhoOf } from './conversion.js';
import type { Currency } from './currency.js';
import { decimal, decimalText } from './decimal.js';
import { gdpEpsilonOf, gdpOf } from './gdp-conversion.js';

/** A budget as a person states it. Numbers are read as the decimals they print as. */
export type BudgetRequest = (
  | { readonly epsilon: number | string; readonly delta?: undefined; readonly rho?: undefined }
  | { readonly epsilon: number | string; readonly delta: number | string; readonly rho?: undefined }
  | { readonly rho: number | string; readonly delta?: number | string | undefined; readonly epsilon?: undefined }
) & {
  /**
   * How (epsilon, delta) is counted: in rho, whatever is done (`zcdp`), or in gdp, by which Gaussian noise alone costs 4 to 8% less noise and everything else
   * more. As the ledger counts by default, which is in rho for a new one.
   */
  readonly accounting?: Accounting | undefined;
  /** The part of delta that thresholds may take, such as 1/10: what asks for values needs one. None by default. */
  readonly thresholds?: { readonly numerator: number; readonly denominator: number } | undefined;
};

/** The ways to count an (epsilon, delta). */
export type Accounting = Exclude<Currency, 'pure'>;

/**
 * What may be spent in all, and the guarantee that follows: epsilon-DP (`pure`), or (epsilon, delta)-DP from `total` rho
 * (`zcdp`; without a delta the guarantee is the rho itself) or from `total` gdp.
 */
export interface Budget {
  readonly currency: Currency;
  readonly total: Amount;
  /** The epsilon of the statement: as asked for, or what rho gives at delta (rounded up). Absent for a bare rho. */
  readonly epsilon?: Amount | undefined;
  /** The delta at which rho or gdp is told as epsilon: a decimal, as given where thresholds have no part of it. */
  readonly delta?: string | undefined;
  /** What thresholds may take beside it: a decimal. With `delta` it is what was asked for. */
  readonly thresholds?: string | undefined;
  /** Counted in rho, and stated as nothing but (epsilon, delta): the first release from a ledger with this total may have it counted in gdp. */
  readonly either?: true | undefined;
}

/**
 * Turns a stated budget into what the ledger counts: a pure epsilon, or the rho or gdp (rounded down) that keeps (epsilon, delta).
 *
 * @example
 * ```ts
 * const pure = budgetOf({ epsilon: 1 });
 * const zcdp = budgetOf({ epsilon: 1, delta: 1e-9 });
 * const gdp = budgetOf({ epsilon: 1, delta: 1e-9, accounting: 'gdp' });
 * ```
 */
export const budgetOf = (request: BudgetRequest): Budget => {
  const { epsilon, delta: asked, rho, accounting = 'zcdp' } = request;
  const either = request.accounting === undefined && request.thresholds === undefined ? true : undefined;
  if ((epsilon === undefined) === (rho === undefined))
    throw new InputError('budget: give either epsilon (with a delta for Gaussian noise) or rho, got both or neither', {
      kind: 'state-budget',
    });
  if (accounting !== 'zcdp') checkGdp(request);
  const { delta, thresholds } = dividedDelta(asked, request.thresholds);
  if (rho !== undefined) {
    const total = granted(parseAmount(rho, 'down', 'rho'), 'rho', rho);
    if (delta === undefined) return { currency: 'zcdp', total };
    return { currency: 'zcdp', total, epsilon: epsilonOf(total, delta), delta: deltaText(delta), thresholds };
  }
  const most = granted(parseAmount(epsilon!, 'down', 'epsilon'), 'epsilon', epsilon!);
  if (delta === undefined) return { currency: 'pure', total: most, epsilon: most };
  const total = granted(totalOf[accounting](most, delta), 'epsilon', epsilon!);
  return { currency: accounting, total, epsilon: most, delta: deltaText(delta), thresholds, either };
};

const totalOf: Readonly<Record<Accounting, typeof rhoOf>> = { zcdp: rhoOf, gdp: gdpOf };

/** The budget of the same (epsilon, delta), counted in gdp. */
export const gdpBudget = ({ epsilon, delta }: Budget): Budget | undefined => {
  if (epsilon === undefined || delta === undefined) return undefined;
  return { currency: 'gdp', total: gdpOf(epsilon, delta), epsilon, delta };
};

/** What a loss is told as at a delta, rounded up. */
export const epsilonAt: Readonly<Record<Accounting, typeof epsilonOf>> = { zcdp: epsilonOf, gdp: gdpEpsilonOf };

/** Refuses what is not counted in gdp. */
const checkGdp = ({ accounting, delta, rho, thresholds }: BudgetRequest): void => {
  if (accounting !== 'gdp')
    throw new InputError(`accounting: must be zcdp or gdp, got ${JSON.stringify(accounting)}; name one of them`);
  if (rho !== undefined || delta === undefined)
    throw new InputError(
      `budget: gdp is counted for an epsilon with a delta, got ${rho === undefined ? 'no delta' : 'rho'}; state both, or use a ledger that counts rho`,
    );
  if (thresholds !== undefined)
    throw new InputError(
      'budget: values can be asked for where rho is counted, got gdp; list the values in the schema',
    );
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
