/** Flags as the bits of one number, the first flag lowest; by their hexadecimal digits, since setting bit after bit copies all of them each time. */
export const bitsOf = (flags: readonly boolean[]): bigint => {
  let digits = '';
  for (let from = 4 * Math.floor((flags.length - 1) / 4); from >= 0; from -= 4) {
    let digit = 0;
    for (let i = 3; i >= 0; i--) digit = 2 * digit + (flags[from + i] ? 1 : 0);
    digits += digit.toString(16);
  }
  return digits === '' ? 0n : BigInt(`0x${digits}`);
};

/** Whether each of the first bits is set. */
export const flagsOf = (bits: bigint): ((bit: number) => boolean) => {
  const digits = bits.toString(2);
  return (bit) => digits[digits.length - 1 - bit] === '1';
};
