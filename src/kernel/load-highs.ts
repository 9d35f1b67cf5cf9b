import type { Highs } from 'highs';

/** Loaded once: solving leaves nothing behind in it. */
let loaded: Promise<Highs> | undefined;

/**
 * HiGHS, the solver of linear programmes: a few MB of WebAssembly, loaded at the first call. `#highs` (`imports` in package.json) is the
 * package, and in browsers one module that the build makes of it.
 */
export const loadHighs = (): Promise<Highs> => {
  loaded ??= import('#highs').then(({ default: loader }) =>
    // The package declares its types as CommonJS, one `default` deeper than the module that is loaded.
    (loader as unknown as typeof loader.default)(),
  );
  return loaded;
};
