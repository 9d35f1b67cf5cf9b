import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { coverageFound } from '../../src/evaluate/coverage-found.js';
import { foundIn } from './found.js';

it('reports quote the kept figures of bounds', () => {
  const kept = JSON.parse(readFileSync(new URL('../results/bootstrap-coverage.json', import.meta.url), 'utf8'));
  // What belongs into src/evaluate/coverage-found.ts is printed by the experiment.
  expect(coverageFound).toEqual(foundIn(kept.rows));
});
