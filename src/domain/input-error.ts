/**
 * Something the user gave cannot be used. The message is one sentence, `subject: rule, got value`, with the next step, and
 * never holds a private value (at most a column and a row number). The command line prints it and exits with code 2.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
}
