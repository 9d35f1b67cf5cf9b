/** The larger of two exact integers; Math.max takes doubles only. */
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
