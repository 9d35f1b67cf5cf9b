import { expect, it } from 'vitest';
import { householdMechanisms } from '../src/advanced.js';
import { mechanisms } from '../src/index.js';
import { languages } from './words.js';

it('explains every method in a line, in every language', () => {
  for (const { budget } of Object.values(languages))
    expect(Object.keys(budget.methods).sort()).toEqual(
      [...mechanisms, ...householdMechanisms].map(({ name }) => name).sort(),
    );
});

it('says the same things in every language: lists have the same entries', () => {
  const { en, de } = languages;
  expect(Object.keys(de.release.stages)).toEqual(Object.keys(en.release.stages));
});
