import { zipEntries } from '../../adapters/table/xlsx/zip-entries.js';
import { zipOf } from '../workbook-of.js';
import { below, type Mutator, oneOf } from './mutator.js';
import { mutateText } from './text.js';

const textsIn = (zip: Uint8Array): Record<string, string> => {
  const texts: Record<string, string> = {};
  for (const [name, entry] of zipEntries(Buffer.from(zip)))
    if (entry.size < 2 ** 20) texts[name] = entry.read().toString('utf8');
  return texts;
};

/** A workbook one of whose parts is changed and packed again with a sum that is right; what is no zip file is left as it is. */
export const mutateWorkbook =
  (words: readonly string[]): Mutator =>
  (bytes, other, random) => {
    try {
      const [texts, donor] = [textsIn(bytes), textsIn(other)];
      const name = oneOf(Object.keys(texts), random);
      const changed = mutateText(words)(Buffer.from(texts[name]), Buffer.from(donor[name] ?? ''), random);
      // Now and then a part is missing.
      if (below(40, random) === 0) delete texts[name];
      else texts[name] = Buffer.from(changed).toString('utf8');
      return new Uint8Array(zipOf(texts));
    } catch {
      return bytes;
    }
  };
