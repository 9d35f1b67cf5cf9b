import type { Highs } from 'highs';

/** Loaded once: solving leaves nothing behind in it. */
let loaded: Promise<Highs> | undefined;

/** HiGHS, the solver of linear programmes: a few MB of WebAssembly, loaded at the first call. */
export const loadHighs = (): Promise<Highs> => {
  loaded ??= import('highs').then(({ default: loader }) =>
    // The package declares its types as CommonJS, one `default` deeper than the module that is loaded.
    (loader as unknown as typeof loader.default)(),
  );
  return loaded;
};
