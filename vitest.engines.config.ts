import { defineConfig } from 'vitest/config';

/** Tests against engines that `npm run test:engines` starts. */
export default defineConfig({
  test: {
    include: ['test/engines/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    pool: 'forks',
    passWithNoTests: true,
  },
});
