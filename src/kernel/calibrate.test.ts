import { expect, it } from 'vitest';
import { machineRates } from './calibrate.js';

it('measures a rate of each kind of work, once', async () => {
  const rates = await machineRates();
  expect(Object.keys(rates).sort()).toEqual(['cells', 'counts', 'products', 'steps', 'visits']);
  for (const rate of Object.values(rates)) expect(rate > 0 && Number.isFinite(rate)).toBe(true);
  expect(await machineRates()).toBe(rates);
});
