/*
 * Puts the tape between every session and its primitives without a seam in the software: in a process started with
 * `--import register.js`, whoever imports the primitives or the seeded generator gets those of this folder. So the command line
 * and the file release are audited as they are, and there is nothing that a user could misuse.
 */

interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}

interface Context {
  readonly parentURL?: string;
}

const insteadOf: readonly { readonly of: string; readonly here: string; readonly notFor: readonly string[] }[] = [
  {
    of: 'src/privacy/primitives.js',
    here: 'on-tape-primitives.js',
    notFor: ['neighbours/on-tape-primitives.js'],
  },
  // The entropy of a seed is not post-processing: what the exact samplers draw depends on counts.
  {
    of: 'src/random/seeded.js',
    here: 'on-tape-seeded.js',
    notFor: ['neighbours/on-tape-seeded.js', 'privacy/entropy.js'],
  },
];

export const resolve = async (
  specifier: string,
  context: Context,
  next: (specifier: string, context: Context) => Promise<Resolved>,
): Promise<Resolved> => {
  const resolved = await next(specifier, context);
  const parent = context.parentURL ?? '';
  for (const { of, here, notFor } of insteadOf)
    if (resolved.url.endsWith(`/${of}`) && !notFor.some((file) => parent.endsWith(`/${file}`)))
      return { ...resolved, url: new URL(here, import.meta.url).href };
  return resolved;
};
