/** 12,345: the same on every machine, whatever its language. */
export const count = (value: number): string =>
  `${value < 0 && Math.round(value) !== 0 ? '−' : ''}${String(Math.round(Math.abs(value))).replace(/\B(?=(\d{3})+$)/g, ',')}`;

/** A number with so many significant digits, without an exponent where people would not write one. */
export const significant = (value: number, digits = 3): string => {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 10 ** digits && size < 1e15) return count(value);
  if (size >= 1e15 || size < 1e-5) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${trimmed(mantissa)}e${Number(exponent)}`;
  }
  return trimmed(value.toPrecision(digits)).replace('-', '−');
};

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** A share in percent, one decimal, or two below 1%; what is there never reads as nothing, nor what is missing as all. */
export const percent = (share: number): string => {
  const sign = share < 0 ? '−' : '';
  const size = Math.abs(share);
  if (size === 0) return '0%';
  if (size < 0.0001) return `${sign}<0.01%`.replace('−<', '>−');
  if (size < 1 && size > 0.9995) return `${sign}>99.9%`.replace('−>', '<−');
  return `${sign}${(size * 100).toFixed(size < 0.00995 ? 2 : 1)}%`;
};

/** A difference of shares in percentage points, with its sign. */
export const points = (difference: number): string => {
  const digits = (Math.abs(difference) * 100).toFixed(Math.abs(difference) < 0.00995 ? 2 : 1);
  return `${Number(digits) === 0 ? '±' : difference < 0 ? '−' : '+'}${digits}`;
};

/** A decimal as the accounting writes it, rounded up to so many significant digits: a loss is never understated. */
export const roundedUp = (decimal: string, digits = 4): string => {
  const value = Number(decimal);
  if (value === 0) return '0';
  const unit = 10 ** (Math.floor(Math.log10(value)) - digits + 1);
  // A decimal of few digits comes out as itself, whatever doubles make of the quotient.
  const steps = value / unit;
  const up = Math.abs(steps - Math.round(steps)) < 1e-9 ? Math.round(steps) : Math.ceil(steps);
  const text = significant(up * unit, digits);
  return text;
};

const raised: Readonly<Record<string, string>> = Object.fromEntries(
  [...'−0123456789'].map((sign, i) => [sign, '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'[i]]),
);

/** A small decimal as people write it on paper: `1e-9` is 10⁻⁹. Others, from a thousandth on, stay as they are. */
export const powerText = (decimal: string): string => {
  if (!(Number(decimal) > 0 && Number(decimal) < 1e-3)) return decimal;
  const [mantissa, exponent] = Number(decimal).toExponential().split('e-');
  const power = `10${[...`−${exponent}`].map((sign) => raised[sign]).join('')}`;
  return mantissa === '1' ? power : `${mantissa} × ${power}`;
};

/** `1 marginal`, `2 marginals`. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;
