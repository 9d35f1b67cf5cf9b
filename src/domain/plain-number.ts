const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * The number that a text spells as a plain decimal: optional sign, digits with an optional fraction, optional exponent,
 * spaces around it trimmed. Anything else ("inf", "nan", "0x1f", "1,000", "") is undefined. The result is the nearest
 * double, so 2^53 + 1 reads as 2^53 and 1e999 as Infinity; minus zero reads as zero.
 */
export const plainNumber = (text: string): number | undefined => {
  const length = text.length;
  // Short runs of digits are nearly all of most files, and reading them by hand is several times faster.
  if (length > 0 && length <= 15) {
    let value = 0;
    let at = 0;
    for (; at < length; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (at === length) return value;
  }
  const trimmed = text.trim();
  return PLAIN.test(trimmed) ? Number(trimmed) + 0 : undefined;
};
