import * as real from '../../../src/privacy/primitives.js';
import { primitivesOnTape } from './current-tape.js';

/** Stands in the place of src/privacy/primitives.js in an audit's process (see `hooks.ts`). */
export const exactPrimitives: typeof real.exactPrimitives = primitivesOnTape(real.exactPrimitives);
