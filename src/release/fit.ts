import { InputError } from '../domain/input-error.js';
import type { Fit, PublicFacts } from './plan.js';

export const unable = (why: string): Fit => ({ able: false, score: 0, why });

/** Refuses a domain without households: for mechanisms that model them. */
export const checkHouseholds = ({ domain }: Pick<PublicFacts, 'domain'>): void => {
  if (domain.households === undefined)
    throw new InputError('it models households, and the schema has no twoLevel that says what they are');
};

export const needsPublic = unable('it needs a public table, and there is none');

/** How well a mechanism is placed, unless it cannot take what it is asked: then the refusal is the reason. */
export const unlessRefused = (check: () => unknown, otherwise: () => Omit<Fit, 'able'>): Fit => {
  try {
    check();
  } catch (error) {
    if (error instanceof InputError) return unable(error.message);
    throw error;
  }
  return { able: true, ...otherwise() };
};
