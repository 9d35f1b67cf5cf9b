import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { coverageFound } from '../../src/evaluate/coverage-found.js';
import { coverageTables } from './coverage-tables.js';
import { foundIn } from './found.js';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const kept = JSON.parse(read('../results/bootstrap-coverage.json'));

it('docs/results.md has the tables of the kept figures of bounds', () => {
  const document = read('../../docs/results.md');
  for (const table of coverageTables(kept.rows)) expect(document).toContain(table);
});

it('reports quote the kept figures of bounds', () => {
  // What belongs into src/evaluate/coverage-found.ts is printed by the experiment.
  expect(coverageFound).toEqual(foundIn(kept.rows));
});
