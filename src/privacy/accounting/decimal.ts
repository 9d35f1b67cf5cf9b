import { InputError } from '../../domain/input-error.js';

/**
 * The exact value of a non-negative decimal as people write it: `0.1` is one tenth, also when it comes as the double that
 * prints so. The fraction is not in lowest terms. Refuses signs, NaN, infinities, and exponents beyond 400.
 */
export const decimal = (
  value: string | number,
  subject: string,
): { readonly numerator: bigint; readonly denominator: bigint } => {
  const text = String(value).trim();
  const match = /^(\d{1,400})?(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  const [whole = '', fraction = '', exponent = '0'] = match?.slice(1) ?? [];
  if (match === null || whole + fraction === '' || Math.abs(Number(exponent)) > 400)
    throw new InputError(`${subject}: must be a non-negative decimal such as 0.5 or 1e-9, got ${text.slice(0, 60)}`);
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length;
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) };
};
