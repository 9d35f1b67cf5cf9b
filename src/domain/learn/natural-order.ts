/**
 * Orders texts as people list them: runs of digits by number ("a2" before "a10"), negative numbers first, everything else by
 * code unit, so that the order is the same everywhere.
 */
export const naturalOrder = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)];
  if (a.trim() !== '' && b.trim() !== '' && Number.isFinite(x) && Number.isFinite(y) && x !== y) return x - y;
  const left = a.match(/\d+|\D+/g) ?? [];
  const right = b.match(/\d+|\D+/g) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareParts(left[i], right[i]);
    if (order !== 0) return order;
  }
  return left.length - right.length || compareText(a, b);
};

const compareParts = (a: string, b: string): number =>
  /^\d/.test(a) && /^\d/.test(b) ? Number(a) - Number(b) : compareText(a, b);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
