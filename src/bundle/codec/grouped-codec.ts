import { type Domain, indexOf } from '../../domain/domain.js';
import { type GroupedModel, type GroupRows, groupedModel } from '../../model/grouped-model.js';
import { badModel, columnArrays, type ModelCodec, readColumnArrays } from './model-codec.js';

/**
 * Groups that draw on one table of rows: the shared columns; and for each group its key (a cell for each key attribute, one after the
 * other in `keys`), its total, and its row numbers (`rows` from `starts[g]` up to `starts[g + 1]`).
 */
export const groupedCodec: ModelCodec<GroupedModel> = {
  write: ({ keys, shared, groups }) => {
    const starts = new Uint32Array(groups.length + 1);
    groups.forEach(({ rows }, g) => {
      starts[g + 1] = starts[g] + rows.length;
    });
    const rows = new Uint32Array(starts[groups.length]);
    groups.forEach((group, g) => {
      rows.set(group.rows, starts[g]);
    });
    return {
      meta: { keys, rows: shared.length },
      arrays: {
        ...columnArrays(shared.columns),
        keys: Uint32Array.from(groups.flatMap(({ key }) => [...key])),
        totals: Float64Array.from(groups, ({ total }) => total),
        starts,
        rows,
      },
    };
  },
  read: (container, domain, name) => {
    const { keys: cells, totals, starts, rows } = container.arrays;
    const { keys, length } = checkedMeta(container.meta, domain, name);
    const inside: Domain = { attributes: domain.attributes.filter((attribute) => !keys.includes(attribute.name)) };
    const columns = readColumnArrays(container, inside, length, name);
    if (
      !(cells instanceof Uint32Array && totals instanceof Float64Array) ||
      !(starts instanceof Uint32Array && rows instanceof Uint32Array) ||
      starts.length !== totals.length + 1 ||
      cells.length !== totals.length * keys.length ||
      starts[0] !== 0 ||
      starts[totals.length] !== rows.length ||
      rows.some((row) => row >= length)
    )
      throw badModel(name, 'groups that do not fit together');
    const sizes = keys.map((key) => domain.attributes[indexOf(domain, key)].size);
    const groups = Array.from(totals, (total, g): GroupRows => {
      const key = Array.from(cells.subarray(g * keys.length, (g + 1) * keys.length));
      if (starts[g] >= starts[g + 1] || key.some((cell, i) => cell >= sizes[i]))
        throw badModel(name, 'a group without rows or outside the domain');
      if (!Number.isSafeInteger(total) || total < 0) throw badModel(name, 'a group without a total');
      return { key, total, rows: rows.subarray(starts[g], starts[g + 1]) };
    });
    return groupedModel(domain, keys, { domain: inside, length, columns }, groups);
  },
};

const checkedMeta = (
  { keys, rows }: Readonly<Record<string, unknown>>,
  domain: Domain,
  name: string,
): { readonly keys: readonly string[]; readonly length: number } => {
  const known = new Set<unknown>(domain.attributes.map((attribute) => attribute.name));
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every((key) => known.delete(key)))
    throw badModel(name, 'keys that are no attributes');
  // Without columns nothing would stand behind the number of rows.
  if (known.size === 0) throw badModel(name, 'keys that leave no attribute for the rows');
  if (!Number.isSafeInteger(rows) || (rows as number) < 0) throw badModel(name, 'no number of rows');
  return { keys, length: rows as number };
};
