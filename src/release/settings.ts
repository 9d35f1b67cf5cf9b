import { InputError } from '../domain/input-error.js';

/** What a person may set of a mechanism. */
export type Setting = number | string | boolean;

/** What is set of a mechanism, by name. */
export type Settings = Readonly<Record<string, Setting>>;

/** The rule that a number breaks, if any: a whole default wants whole numbers, and a default of 0 says that 0 has a meaning. */
const brokenRule = (value: number, like: number): string | undefined => {
  if (!Number.isSafeInteger(like)) return value > 0 && value < Infinity ? undefined : 'a positive number';
  const least = like === 0 ? 0 : 1;
  return Number.isSafeInteger(value) && value >= least ? undefined : `a whole number from ${least} on`;
};

/** What a mechanism says of its settings. */
interface Settable {
  readonly name: string;
  readonly defaults: Settings;
  readonly choices?: { readonly [name: string]: readonly string[] | undefined } | undefined;
}

/** The defaults with what was set in their place; an unknown name, another type of value or a word that is no choice is an `InputError`. */
export const settingsOf = ({ name, defaults, choices }: Settable, given: Settings): Settings => {
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, key))
      throw new InputError(
        `${name}: can be set ${Object.keys(defaults).join(', ') || 'nothing'}, got ${JSON.stringify(key)}`,
      );
    const like = defaults[key];
    if (typeof value !== typeof like)
      throw new InputError(`${name}: ${key} must be a ${typeof like}, got ${JSON.stringify(value)}`);
    const rule = typeof value === 'number' ? brokenRule(value, like as number) : undefined;
    if (rule !== undefined) throw new InputError(`${name}: ${key} must be ${rule}, got ${value}`);
    const words = choices?.[key];
    if (words !== undefined && !words.includes(value as string))
      throw new InputError(`${name}: ${key} must be one of ${words.join(', ')}, got ${JSON.stringify(value)}`);
  }
  return { ...defaults, ...given };
};
