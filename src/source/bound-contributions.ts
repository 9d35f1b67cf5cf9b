import { InputError } from '../domain/input-error.js';
import type { Random } from '../random/random.js';
import { uniformInteger } from '../random/uniform.js';

/** Whose each row is: any values, compared as a Map compares its keys. */
export type Ids = ArrayLike<string | number | bigint>;

/**
 * At most `maxRecords` rows for each id, a uniformly random subset where there are more (reservoir sampling), in the
 * order of the table. This is what makes the guarantee for an id true, so `random` must be cryptographic in production.
 */
export const boundContributions = (
  ids: Ids,
  maxRecords: number,
  random: Random,
): { readonly rows: Uint32Array; readonly units: number } => {
  const unitOf = new Uint32Array(ids.length);
  const known = new Map<string | number | bigint, number>();
  const counts: number[] = [];
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row];
    if (id === null || id === undefined)
      throw new InputError(`ids: must be given for every row, got none in row ${row + 1}; fill or remove such rows`);
    let unit = known.get(id);
    if (unit === undefined) {
      unit = counts.length;
      known.set(id, unit);
      counts.push(0);
    }
    unitOf[row] = unit;
    counts[unit]++;
  }

  const starts = new Uint32Array(counts.length);
  let total = 0;
  counts.forEach((count, unit) => {
    starts[unit] = total;
    total += Math.min(count, maxRecords);
  });
  const rows = new Uint32Array(total);
  const seen = new Uint32Array(counts.length);
  for (let row = 0; row < ids.length; row++) {
    const unit = unitOf[row];
    const before = seen[unit]++;
    const place = before < maxRecords ? before : uniformInteger(random, before + 1);
    if (place < maxRecords) rows[starts[unit] + place] = row;
  }
  return { rows: rows.sort(), units: counts.length };
};
