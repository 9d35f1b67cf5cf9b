import { InputError } from '../../src/domain/input-error.js';

/** Loads the client when it is asked for: it is no dependency of those who have files. */
export const loadPg = async () => {
  try {
    const { default: pg } = await import('pg');
    return pg;
  } catch {
    throw new InputError('PostgreSQL: needs the package pg, got none; install it beside surmise: npm install pg');
  }
};
