/** The position of a number in an ascending list; -1 if it is not there. */
export const placeOf = (ascending: Uint32Array, number: number): number => {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < number) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === number ? low : -1;
};
