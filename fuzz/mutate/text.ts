import { below, type Mutator, oneOf } from './mutator.js';

/** Words put in, taken out and changed for one another; `words` are those of the language. */
export const mutateText =
  (words: readonly string[]): Mutator =>
  (bytes, other, random) => {
    const cut = (text: string): string[] => text.match(/\w+|\s+|[^\w\s]+/g) ?? [];
    const decoder = new TextDecoder();
    const parts = cut(decoder.decode(bytes));
    const donor = cut(decoder.decode(other));
    for (let left = 1 + below(5, random); left > 0; left--) {
      const at = below(parts.length + 1, random);
      switch (below(6, random)) {
        case 0:
          parts.splice(at, 1 + below(4, random));
          break;
        case 1:
          parts.splice(at, 0, oneOf(words, random), ' ');
          break;
        case 2:
          parts.splice(at, 1, oneOf(words, random));
          break;
        case 3:
          if (donor.length > 0)
            parts.splice(at, 0, ...donor.slice(below(donor.length, random)).slice(0, 1 + below(20, random)));
          break;
        case 4: {
          const part = parts.slice(at, at + 1 + below(6, random));
          for (let copies = oneOf([1, 2, 30, 300], random); copies > 0 && parts.length < 3000; copies--)
            parts.splice(at, 0, ...part);
          break;
        }
        default: {
          const to = below(parts.length, random);
          if (at < parts.length) [parts[at], parts[to]] = [parts[to], parts[at]];
        }
      }
    }
    return new TextEncoder().encode(parts.join(''));
  };
