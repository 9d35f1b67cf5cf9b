import { cellAt, codesAt } from '../../domain/cell-index.js';
import { type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Table } from '../../domain/table.js';
import type { GroupKey } from '../../privacy/session/session.js';

/** Two levels of groups that the domain declares: regions, and groups within them. */
export interface GroupLevels {
  readonly keys: readonly string[];
  readonly regions: number;
  readonly groups: number;
  /** The region of each group; groups are row-major over the keys, as a partition lists them. */
  readonly regionOf: Uint32Array;
}

/** Each group is fitted by itself and keeps a thousand row numbers or more. */
const mostGroups = 100_000;

const attributeOf = (key: GroupKey): string => (typeof key === 'string' ? key : key.attribute);

/**
 * Works out which region every group belongs to. Groups are all combinations of the cells of `keys`; a region is made of some of
 * those attributes, or of declared mappings of them (a state from its districts).
 */
export const groupLevels = (domain: Domain, keys: readonly string[], by: readonly GroupKey[]): GroupLevels => {
  if (keys.length === 0) throw new InputError('groups: must be told apart by at least one attribute, got none');
  if (new Set(keys).size < keys.length || keys.length >= domain.attributes.length)
    throw new InputError(
      `groups: must be told apart by different attributes that leave others to measure, got ${keys.join(', ')}`,
    );
  const sizes = keys.map((name) => domain.attributes[indexOf(domain, name)].size);
  const mappings = by.map((key) => {
    const name = attributeOf(key);
    const place = keys.indexOf(name);
    if (place < 0)
      throw new InputError(`regions: must be made of the groups' attributes ${keys.join(', ')}, got ${name}`);
    const groups = typeof key === 'string' ? Array.from({ length: sizes[place] }, (_, cell) => cell) : key.groups;
    const size = typeof key === 'string' ? sizes[place] : key.size;
    if (groups.length !== sizes[place] || groups.some((group) => !(group >= 0 && group < size)))
      throw new InputError(
        `regions: the mapping of ${name} must give each of its ${sizes[place]} cells a number below ${size}`,
      );
    return { place, groups, size };
  });
  const groups = sizes.reduce((product, size) => product * size, 1);
  if (groups > mostGroups)
    throw new InputError(
      `groups: must be at most ${mostGroups}, got ${groups} combinations of ${keys.join(', ')}; use fewer or coarser attributes`,
    );
  const regionSizes = mappings.map(({ size }) => size);
  const regions = regionSizes.reduce((product, size) => product * size, 1);
  const regionOf = Uint32Array.from({ length: groups }, (_, group) => {
    const cells = codesAt(group, sizes);
    return cellAt(
      mappings.map(({ place, groups: map }) => map[cells[place]]),
      regionSizes,
    );
  });
  return { keys, regions, groups, regionOf };
};

/** The group of every row of a table. */
export const groupsOfRows = ({ domain, columns, length }: Table, keys: readonly string[]): Uint32Array => {
  const groups = new Uint32Array(length);
  for (const name of keys) {
    const index = indexOf(domain, name);
    const { size } = domain.attributes[index];
    for (let row = 0; row < length; row++) groups[row] = groups[row] * size + columns[index][row];
  }
  return groups;
};
