import type { Args, Io } from '../command.js';
import type { CommandName } from '../options/command-table.js';

/** Where a command names public tables: among its options, and whether all that follows its name is public. */
const places: Partial<Record<CommandName, { readonly options: readonly string[]; readonly operands: boolean }>> = {
  schema: { options: ['households'], operands: true },
  inspect: { options: ['households'], operands: true },
  evaluate: { options: ['households'], operands: true },
  compare: { options: ['public'], operands: true },
  release: { options: ['public', 'stand-in', 'public-households'], operands: false },
  'check-public': { options: ['public', 'against'], operands: false },
  sample: { options: ['given'], operands: false },
};

const looksLikeAddress = (name: unknown): name is string => typeof name === 'string' && name.includes('://');

/**
 * Runs a command with files in the place of public tables of databases: each is fetched once, and removed when the command has ended. A private table is never among them: where a command
 * takes one, it stands where none is fetched.
 */
export const withLocalTables = async (
  name: CommandName,
  args: Args<CommandName>,
  io: Io,
  run: (args: Args<CommandName>) => Promise<number | undefined>,
): Promise<number | undefined> => {
  const place = places[name];
  const values = args.values as Readonly<Record<string, unknown>>;
  if (place === undefined || values.declare === true) return run(args);
  const named = [...(place.operands ? args.operands : []), ...place.options.flatMap((option) => values[option])];
  if (!named.some(looksLikeAddress)) return run(args);
  const { fetchPublic, isAddress } = await import('../../adapters/index.js');
  const hidden = place.operands ? [] : args.operands;
  const fetched = new Map<string, Awaited<ReturnType<typeof fetchPublic>>>();
  const local = (one: unknown): unknown => fetched.get(one as string)?.file ?? one;
  try {
    for (const one of named)
      if (looksLikeAddress(one) && isAddress(one) && !fetched.has(one))
        fetched.set(one, await fetchPublic(one, { ...io.running, private: hidden }));
    const changed = Object.fromEntries(
      place.options.map((option) => {
        const value = values[option];
        return [option, Array.isArray(value) ? value.map(local) : local(value)];
      }),
    );
    return await run({
      ...args,
      values: { ...values, ...changed } as Args<CommandName>['values'],
      operands: place.operands ? (args.operands.map(local) as string[]) : args.operands,
    });
  } finally {
    for (const { remove } of fetched.values()) await remove();
  }
};
