/** floor(sqrt(n)) by Newton's iteration from above. */
export const squareRoot = (n: bigint): bigint => {
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
};
