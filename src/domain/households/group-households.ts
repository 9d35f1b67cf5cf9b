import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import { indexOf } from '../domain.js';
import { InputError } from '../input-error.js';
import { codeColumn, type Table } from '../table.js';
import type { HouseholdTable, KeyedTable, Keys, SizeRule } from './household-table.js';

/** How rows become households. */
export interface GroupOptions {
  /** What becomes of a household with too many persons; `exclude` unless told. */
  readonly rule?: SizeRule | undefined;
  /** Chooses the persons to keep under `trim`: cryptographic for private data. */
  readonly random?: Random | undefined;
  /** Whether the first person speaks for a household whose persons say different things of it; otherwise that is an error. */
  readonly firstSpeaks?: boolean | undefined;
}

/**
 * Puts the persons of each household together, in the order of the table, and cuts households to the size that the domain allows. The column that is the
 * number of persons is made here, whatever it held. Each household is treated by itself: what becomes of it depends on none of the others,
 * so that a change of one household stays one (docs/households.md).
 */
export const groupHouseholds = ({ table, keys }: KeyedTable, options: GroupOptions = {}): HouseholdTable => {
  const { domain } = table;
  const { households } = domain;
  if (households === undefined)
    throw new InputError('households: must be declared by the domain of the table, got a plain one');
  if (keys.length !== table.length)
    throw new InputError(`keys: must be one for each of the ${table.length} rows, got ${keys.length}`);
  const { rows, starts } = rowsByHousehold(keys);
  const { kept, offsets } = keptRows(rows, starts, households.maxSize, options);
  const shared = households.attributes.filter((name) => name !== households.size);
  if (!options.firstSpeaks) for (const name of shared) checkShared(table, name, kept, offsets);
  const columns = domain.attributes.map(({ name, size }, index) => {
    const column = codeColumn(size, kept.length);
    const sizes = name === households.size;
    const first = shared.includes(name);
    for (let h = 0; h + 1 < offsets.length; h++)
      for (let i = offsets[h]; i < offsets[h + 1]; i++)
        column[i] = sizes ? offsets[h + 1] - offsets[h] - 1 : table.columns[index][kept[first ? offsets[h] : i]];
    return column;
  });
  return { domain, length: kept.length, columns, offsets };
};

/** The rows of all households, one household after the other as they first appear, and where each starts. */
const rowsByHousehold = (keys: Keys): { readonly rows: Uint32Array; readonly starts: Uint32Array } => {
  const known = new Map<string | number | bigint, number>();
  const home = new Uint32Array(keys.length);
  const counts: number[] = [];
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row];
    if (key === null || key === undefined || key === '')
      throw new InputError(`keys: must be given for every row, got none in row ${row + 1}; fill or remove such rows`);
    let number = known.get(key);
    if (number === undefined) {
      number = counts.length;
      known.set(key, number);
      counts.push(0);
    }
    home[row] = number;
    counts[number]++;
  }
  const starts = new Uint32Array(counts.length + 1);
  for (let h = 0; h < counts.length; h++) starts[h + 1] = starts[h] + counts[h];
  const rows = new Uint32Array(keys.length);
  const next = starts.slice();
  for (let row = 0; row < keys.length; row++) rows[next[home[row]]++] = row;
  return { rows, starts };
};

const keptRows = (
  rows: Uint32Array,
  starts: Uint32Array,
  maxSize: number,
  { rule = 'exclude', random }: GroupOptions,
): { readonly kept: Uint32Array; readonly offsets: Uint32Array } => {
  if (rule === 'trim' && random === undefined)
    throw new InputError(
      'households: persons to keep are chosen at random under trim, got no randomness; give one, or exclude',
    );
  const kept = new Uint32Array(rows.length);
  const offsets: number[] = [0];
  let count = 0;
  for (let h = 0; h + 1 < starts.length; h++) {
    if (rule === 'exclude' && starts[h + 1] - starts[h] > maxSize) continue;
    // Selection sampling: each of the `left` persons to come is kept with probability room / left.
    let room = maxSize;
    for (let at = starts[h]; at < starts[h + 1]; at++) {
      const left = starts[h + 1] - at;
      if (room < left && uniformInteger(random!, left) >= room) continue;
      kept[count++] = rows[at];
      room--;
    }
    offsets.push(count);
  }
  return { kept: kept.slice(0, count), offsets: Uint32Array.from(offsets) };
};

const checkShared = ({ domain, columns }: Table, name: string, kept: Uint32Array, offsets: Uint32Array): void => {
  const column = columns[indexOf(domain, name)];
  for (let h = 0; h + 1 < offsets.length; h++)
    for (let i = offsets[h] + 1; i < offsets[h + 1]; i++)
      if (column[kept[i]] !== column[kept[offsets[h]]])
        throw new InputError(
          `column ${JSON.stringify(name)}, row ${kept[i] + 1}: must be the same for all persons of a household; correct it, or let the first person speak for the household`,
        );
};
