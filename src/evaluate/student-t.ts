/** P(|T| <= t) for Student's t with a whole number of degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4). */
const within = (t: number, freedom: number): number => {
  const angle = Math.atan(t / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = freedom % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let power = odd ? 3 : 2; power <= freedom - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
};

/** The t that Student's law with `freedom` degrees of freedom (a whole number from 1) stays within, either way, with this probability. */
export const studentQuantile = (probability: number, freedom: number): number => {
  let [low, high] = [0, 1];
  while (within(high, freedom) < probability) high *= 2;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (within(middle, freedom) < probability) low = middle;
    else high = middle;
  }
  return high;
};
