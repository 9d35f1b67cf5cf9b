import { type Hint, libraryWords, sentenceIn } from './hint.js';

/**
 * Something the user gave cannot be used. The message is one sentence, `subject: rule, got value`, with the next step, and
 * never holds a private value (at most a column and a row number). The command line prints it and exits with code 2.
 */
export class InputError extends Error {
  override readonly name: string = 'InputError';
  /** What is wrong, and the next step unless a hint says it. */
  readonly rule: string;
  /** The next step, for a front end that has its own words for it; the message has it in the library's. */
  readonly hint: Hint | undefined;

  constructor(rule: string, hint?: Hint) {
    super(hint === undefined ? rule : sentenceIn(libraryWords, rule, hint));
    this.rule = rule;
    this.hint = hint;
  }
}
