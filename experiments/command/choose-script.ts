import { readdirSync } from 'node:fs';

/** Options that experiments and benches have in common. */
export const commonOptions = {
  data: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean' },
  keep: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/**
 * The given name, if it is that of a script in a folder of compiled ones. If not, or where help is asked for, prints a text for the
 * names there are and ends the process.
 */
export const chooseScript = (
  folder: string,
  helpers: readonly string[],
  { name = '', help = false }: { readonly name: string | undefined; readonly help: boolean | undefined },
  text: (names: string) => string,
): string => {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -3))
    .filter((each) => !helpers.includes(each));
  if (!help && names.includes(name)) return name;
  process.stdout.write(text(names.join(', ')));
  process.exit(help ? 0 : 2);
};
