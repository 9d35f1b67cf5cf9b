import { InputError } from '../../src/domain/input-error.js';

/** The whole number given as an option, or the default when the option was not given. */
export const wholeNumber = <D extends number | undefined>(
  option: string,
  text: string | undefined,
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: D },
): number | D => {
  if (text === undefined) return otherwise;
  // 1e6 and 20_000 are how people write large numbers.
  const value = /^[+-]?\d[\d_]*(e\d+)?$/i.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw new InputError(
      `option --${option}: must be a whole number from ${min} to ${max}, got ${JSON.stringify(text)}; see --help`,
    );
  return value;
};
