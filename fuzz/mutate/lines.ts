import { mutateJsonText } from './json.js';
import { below, type Mutator, oneOf } from './mutator.js';

/** Lines changed as JSON, copied, moved, left out, cut short. */
export const mutateLines =
  (words: readonly string[]): Mutator =>
  (bytes, other, random) => {
    const decoder = new TextDecoder();
    const lines = decoder.decode(bytes).split('\n');
    const donor = decoder.decode(other).split('\n');
    for (let left = 1 + below(3, random); left > 0; left--) {
      const at = below(lines.length, random);
      switch (below(7, random)) {
        case 0:
        case 1:
        case 2:
          lines[at] = mutateJsonText(lines[at] ?? '', oneOf(donor, random), words, random) ?? lines[at] ?? '';
          break;
        case 3:
          lines.splice(at, 1);
          break;
        case 4:
          lines.splice(below(lines.length + 1, random), 0, oneOf(donor, random));
          break;
        case 5:
          lines.splice(below(lines.length + 1, random), 0, lines[at] ?? '');
          break;
        default:
          lines[at] = (lines[at] ?? '').slice(0, below((lines[at] ?? '').length + 1, random));
      }
    }
    return new TextEncoder().encode(lines.join('\n'));
  };
