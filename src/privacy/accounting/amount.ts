import { InputError } from '../../domain/input-error.js';
import { decimal } from './decimal.js';

declare const unit: unique symbol;

/**
 * An exact, non-negative quantity of privacy loss (an epsilon or a rho): a bigint that counts units of 1e-18, so that sums
 * and comparisons never round. It is printed and parsed as a plain decimal; `JSON.stringify` refuses it on purpose.
 */
export type Amount = bigint & { readonly [unit]: 'privacy loss in 1e-18' };

/** Units in one whole epsilon or rho. */
export const amountScale = 10n ** 18n;

export const zeroAmount = 0n as Amount;

const checked = (units: bigint): Amount => {
  if (units < 0n) throw new InputError(`amount: must not be negative, got ${units} units of 1e-18`);
  return units as Amount;
};

/** A quotient as an amount: rounded up for what is charged, down for what is granted. */
export const toAmount = (
  { numerator, denominator }: { readonly numerator: bigint; readonly denominator: bigint },
  rounding: 'up' | 'down',
): Amount => {
  if (denominator <= 0n) throw new InputError(`amount: the denominator must be positive, got ${denominator}`);
  const scaled = checked(numerator * amountScale);
  return (rounding === 'up' ? (scaled + denominator - 1n) / denominator : scaled / denominator) as Amount;
};

/** `a + b`, exactly. */
export const addAmounts = (a: Amount, b: Amount): Amount => (a + b) as Amount;

/** `from - amount`, exactly; refuses to go below zero. */
export const subtractAmount = (from: Amount, amount: Amount): Amount => checked(from - amount);

/** `amount * numerator / denominator`, rounded down: one part of a budget. Parts never add up to more than the whole. */
export const amountShare = (amount: Amount, numerator: bigint, denominator: bigint): Amount => {
  if (numerator < 0n || denominator <= 0n)
    throw new InputError(`share: must be a non-negative fraction, got ${numerator}/${denominator}`);
  return ((amount * numerator) / denominator) as Amount;
};

/** A plain decimal without exponent or trailing zeros, such as `0.3`; it holds every digit. */
export const formatAmount = (amount: Amount): string => {
  const fraction = (amount % amountScale).toString().padStart(18, '0').replace(/0+$/, '');
  return `${amount / amountScale}${fraction === '' ? '' : `.${fraction}`}`;
};

/** The nearest double, for display and for statistics; never for accounting. */
export const amountToNumber = (amount: Amount): number => Number(formatAmount(amount));

/**
 * Reads a decimal (`0.1`, `1e-9`, or a number as JavaScript prints it). Digits beyond 1e-18 are an error unless a rounding
 * is given.
 */
export const parseAmount = (value: string | number, rounding?: 'up' | 'down', subject = 'amount'): Amount => {
  const parsed = decimal(value, subject);
  const amount = toAmount(parsed, rounding ?? 'down');
  if (rounding === undefined && (amount as bigint) * parsed.denominator !== parsed.numerator * amountScale)
    throw new InputError(`${subject}: at most 18 digits after the point, got ${value}`);
  return amount;
};
