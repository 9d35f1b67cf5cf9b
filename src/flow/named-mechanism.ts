import type { AnyMechanism } from '../release/mechanism.js';
import { anyMechanismNamed } from '../release/registry.js';

/** A mechanism, its name in the registry, or `auto`: chosen by what is public, as it is without a word. */
export type MechanismChoice = AnyMechanism | string | undefined;

/** The mechanism that was chosen by name or handed over, or `auto`. */
export const namedMechanism = (choice: MechanismChoice): AnyMechanism | 'auto' =>
  choice === undefined || choice === 'auto' ? 'auto' : typeof choice === 'string' ? anyMechanismNamed(choice) : choice;
