/** A word, a name in double quotes, a text in single quotes, a number, or a sign. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign';
  /** What it says: without its quotes, otherwise as it was written. */
  readonly value: string;
  /** Where it begins in the text, and where it has ended. */
  readonly at: number;
  readonly end: number;
}
