import type { Running } from '../../src/domain/running.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { readColumns } from './read-columns.js';
import { readHouseholds, twoLevelOf } from './read-households.js';

/** How large the households of a public table are. */
export interface HouseholdSizes {
  /** Households of 1, 2, ... persons, up to the schema's largest. */
  readonly sizes: readonly number[];
  /** Households with more persons: they are left out, or trimmed. */
  readonly larger: number;
  /** Households of a table of their own that nobody is of. */
  readonly empty: number;
}

/** Counts the persons of each *public* household, exactly, and makes sure that the tables join by the schema. */
export const householdSizes = async (
  file: string,
  schema: Schema,
  { households, onProgress, signal }: Running & { readonly households?: string | undefined } = {},
): Promise<HouseholdSizes> => {
  const { key, maxSize } = twoLevelOf(schema);
  const counts = new Map<string, number>();
  for await (const part of readColumns(file, { columns: [key], onProgress, signal }))
    for (const value of Array.from(part[key], String)) counts.set(value, (counts.get(value) ?? 0) + 1);
  let empty = 0;
  if (households !== undefined)
    for await (const part of readColumns(households, { columns: [key], onProgress, signal }))
      for (const value of Array.from(part[key], String)) if (!counts.has(value)) empty++;
  await readHouseholds(
    file,
    { ...schema, twoLevel: { ...twoLevelOf(schema), rule: 'exclude' } },
    { households, signal },
  );
  const sizes = new Array<number>(maxSize).fill(0);
  let larger = 0;
  for (const size of counts.values())
    if (size > maxSize) larger++;
    else sizes[size - 1]++;
  return { sizes, larger, empty };
};
