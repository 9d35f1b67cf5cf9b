import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import type { AttributeSpec } from './attribute.js';
import { sizeOf } from './cells.js';
import { firstRepeated } from './first-repeated.js';
import { quote } from './kinds/kind.js';
import { kindOf } from './kinds/kinds.js';

/** Throws an `InputError` when declarations are too many together, before any of them is looked at more closely. */
export const checkAttributes = (specs: readonly AttributeSpec[], subject: string): void => {
  if (specs.length > limits.attributes)
    throw new InputError(
      `${subject}: must have at most ${limits.attributes} attributes, got ${specs.length}; take some out`,
    );
  const bins = specs.reduce((sum, spec) => sum + ('bins' in spec ? (spec.bins ?? 0) : 0), 0);
  if (bins > limits.bins)
    throw new InputError(`${subject}: must have at most ${limits.bins} bins together, got ${bins}; use fewer`);
};

/** Codes are at most 32 bits wide. */
const MAX_CELLS = 2 ** 32;

/**
 * Throws an `InputError` when a well-formed declaration contradicts itself. `subject` leads the message, such as
 * `schema: attribute "age"`.
 */
export const checkAttribute = (spec: AttributeSpec, subject: string): void => {
  const fail = (text: string): never => {
    throw new InputError(`${subject}: ${text}`);
  };
  if (spec.nullValues !== undefined && spec.nullValues.length > 0 && spec.null !== true) {
    fail('`nullValues` needs a cell to go to; add `"null": true`');
  }
  const repeated = firstRepeated(spec.nullValues ?? []);
  if (repeated !== undefined) fail(`\`nullValues\` must differ, got ${quote(repeated)} twice`);
  kindOf(spec).check(spec, fail);
  const size = sizeOf(spec);
  if (size > MAX_CELLS) fail(`must have at most 2^32 cells, got ${size}; use coarser bins`);
};
