import { InputError } from '../domain/input-error.js';
import { limits } from '../domain/limits.js';

/** Refuses a title that is none, or too long for a heading. */
export const checkTitle = (title: string | undefined): void => {
  if (title !== undefined && (title.trim() === '' || title.length > limits.titleLength))
    throw new InputError(
      `title: must have 1 to ${limits.titleLength} characters, got ${title.trim() === '' ? 'none' : title.length}; shorten it, or leave it out`,
    );
};
