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

/** Digits that a fraction is written with. */
const digits = 12n;

/** A positive fraction as a decimal such as `9e-10` or `0.05`, with at most twelve digits: rounded up for what is told, down for what is granted. */
export const decimalText = (
  { numerator, denominator }: { readonly numerator: bigint; readonly denominator: bigint },
  rounding: 'up' | 'down',
): string => {
  let exponent = 0n;
  let top = numerator;
  let bottom = denominator;
  const most = 10n ** digits;
  // The value is top/bottom x 10^exponent, with twelve digits before the point.
  for (; top < (most / 10n) * bottom; exponent--) top *= 10n;
  for (; top >= most * bottom; exponent++) bottom *= 10n;
  let whole = rounding === 'up' ? (top + bottom - 1n) / bottom : top / bottom;
  for (; whole % 10n === 0n; exponent++) whole /= 10n;
  const text = String(whole);
  const point = BigInt(text.length) + exponent;
  if (exponent >= 0n) return point > 15n ? `${text}e${exponent}` : `${whole * 10n ** exponent}`;
  if (point > 0n) return `${text.slice(0, Number(point))}.${text.slice(Number(point))}`;
  if (point > -3n) return `0.${'0'.repeat(Number(-point))}${text}`;
  return `${text[0]}${text.length > 1 ? `.${text.slice(1)}` : ''}e${point - 1n}`;
};
