import type { Mechanism } from '../release/mechanism.js';
import { mechanismNamed } from '../release/registry.js';

/** A mechanism, its name in the registry, or `auto`: chosen by what is public, as it is without a word. */
export type MechanismChoice = Mechanism | string | undefined;

/** The mechanism that was chosen by name or handed over, or `auto`. */
export const namedMechanism = (choice: MechanismChoice): Mechanism | 'auto' =>
  choice === undefined || choice === 'auto' ? 'auto' : typeof choice === 'string' ? mechanismNamed(choice) : choice;
