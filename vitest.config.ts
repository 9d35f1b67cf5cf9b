import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

export default defineConfig({
  // Examples name the package as its users do; here that is the source.
  resolve: {
    alias: [
      { find: /^surmise$/, replacement: source('src/index.ts') },
      { find: /^surmise\/advanced$/, replacement: source('src/advanced.ts') },
      { find: /^surmise\/node$/, replacement: source('adapters/index.ts') },
    ],
  },
  test: {
    include: ['**/*.test.ts'],
    // Engines are started by npm run test:engines.
    exclude: ['node_modules/**', 'dist/**', 'test/engines/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Two cores are what there is everywhere; by default one of two would stay idle.
    maxWorkers: 2,
    globalSetup: ['test/support/global-setup.ts'],
  },
});
