/** What a part of a statement says, whoever says it and wherever: two that say the same have the same text. */
export const sameText = (part: unknown): string =>
  JSON.stringify(part, (key, value) => (key === 'at' || key === 'text' ? undefined : value));
