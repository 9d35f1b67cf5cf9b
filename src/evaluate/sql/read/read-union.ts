import type { Reader } from './reader.js';
import type { SelectTree } from './tree.js';

/** What UNION adds to a SELECT. */
export const readUnion = (reader: Reader, left: SelectTree): SelectTree => {
  reader.expect('UNION');
  reader.accept('ALL');
  if (!reader.is('(')) reader.query();
  else {
    reader.inParentheses(() => reader.query());
    if (reader.is('UNION')) readUnion(reader, left);
  }
  return { ...left, isUnion: true };
};
