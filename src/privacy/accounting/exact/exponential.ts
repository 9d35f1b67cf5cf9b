// Exponentials of basic arithmetic alone, which every engine rounds alike: what is stated must come out the same wherever it is verified. Math.exp may differ.

/** ln 2 in two parts, the first of which has 21 zero bits at its end: so a whole number below 2^20 times it is exact. */
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

const view = new DataView(new ArrayBuffer(8));

/** 2^k for a whole k from -1022 to 1023, exactly. */
const powerOfTwo = (k: number): number => {
  view.setUint32(0, (k + 1023) << 20);
  view.setUint32(4, 0);
  return view.getFloat64(0);
};

/** Of what `exponential` and `fallen` return: a bound on the relative error. */
export const exponentialDoubt = 2 ** -48;

/** e^x for x from -700 to 700; 0 below, where the true value is below 1e-304. */
export const exponential = (x: number): number => {
  if (x < -700) return 0;
  const k = Math.round(x / (ln2High + ln2Low));
  const rest = x - k * ln2High - k * ln2Low;
  // |rest| <= 0.35: what is left out behind the 15th term is below 0.35^16/16! < 2^-68.
  let sum = 1;
  for (let n = 15; n >= 1; n--) sum = 1 + (sum * rest) / n;
  return sum * powerOfTwo(k);
};

/** 1 - e^-x for x >= 0, also where x is small. */
export const fallen = (x: number): number => {
  if (x > 0.35) return 1 - exponential(-x);
  let sum = 1;
  for (let n = 16; n >= 2; n--) sum = 1 - (sum * x) / n;
  return x * sum;
};
