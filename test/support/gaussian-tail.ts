/** The chance that discrete Gaussian noise is at least `from`, in doubles: good to some ten digits. */
export const gaussianTail = (variance: number, from: number): number => {
  const reach = 40 * Math.sqrt(variance) + 40;
  const weight = (j: number): number => Math.exp((-j * j) / (2 * variance));
  let [all, above] = [1, 0];
  for (let j = 1; j < reach; j++) all += 2 * weight(j);
  for (let j = from; j < from + reach; j++) above += weight(j);
  return above / all;
};
