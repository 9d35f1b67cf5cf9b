/** An exponential moving average of numbers: keeps `keep` of itself with every new one, and starts at the first. */
export const movingAverage = (keep: number) => {
  let value: number | undefined;
  return (next: number): number => {
    value = value === undefined ? next : keep * value + (1 - keep) * next;
    return value;
  };
};

/**
 * The same of vectors, element by element, but a plain mean as long as that keeps less: the first of a few would otherwise count for most.
 * `value` is undefined before the first.
 */
export const movingAverageOf = (keep: number) => {
  let value: Float32Array | undefined;
  let count = 0;
  return {
    add: (next: Float32Array): void => {
      const kept = Math.min(keep, count / ++count);
      if (value === undefined) value = next.slice();
      else for (let i = 0; i < value.length; i++) value[i] = kept * value[i] + (1 - kept) * next[i];
    },
    value: (): Float32Array | undefined => value,
  };
};
