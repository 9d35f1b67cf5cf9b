/** Number of ways to choose k of n things (a double: exact below 2^53, and never too small to compare with a limit). */
export const binomial = (n: number, k: number): number => {
  let ways = 1;
  // Each step is C(n - k + i, i), an integer: rounding undoes what the division may have lost.
  for (let i = 1; i <= k; i++) ways = Math.round((ways * (n - k + i)) / i);
  return ways;
};

/** All increasing lists of k indices below n, in lexicographic order. */
export function* combinations(n: number, k: number): Generator<readonly number[]> {
  if (k > n) return;
  const chosen = Array.from({ length: k }, (_, i) => i);
  for (;;) {
    yield [...chosen];
    let place = k - 1;
    while (place >= 0 && chosen[place] === n - k + place) place--;
    if (place < 0) return;
    chosen[place]++;
    for (let i = place + 1; i < k; i++) chosen[i] = chosen[i - 1] + 1;
  }
}
