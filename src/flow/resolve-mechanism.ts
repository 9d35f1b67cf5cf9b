import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import { inTurns } from '../domain/turns.js';
import { chosenOf, type RankedMechanism, ranking } from '../release/choose-mechanism.js';
import type { AnyMechanism } from '../release/mechanism.js';
import type { PublicFacts } from '../release/plan.js';
import { type ReleaseRequest, settingsFor } from './check-release.js';
import { type MechanismChoice, namedMechanism } from './named-mechanism.js';

/** The mechanism that was named, unless it cannot take what it is told, or the one that public facts choose, with why in a sentence. */
export const resolveMechanism = async (
  choice: MechanismChoice,
  settings: ReleaseRequest['settings'],
  facts: PublicFacts,
  running: Running,
): Promise<{
  readonly mechanism: AnyMechanism;
  readonly why?: string | undefined;
  readonly ranked?: readonly RankedMechanism[];
}> => {
  const mechanism = namedMechanism(choice);
  if (mechanism !== 'auto') {
    const { workload, domain } = facts;
    const isTold = workload !== undefined || mechanism.required !== undefined || domain.constraints !== undefined;
    const fit = isTold ? mechanism.fits(facts, settingsFor(mechanism, settings)) : undefined;
    if (fit?.able === false) throw new InputError(`mechanism: ${mechanism.name} cannot make this release: ${fit.why}`);
    return { mechanism };
  }
  return chosenOf(await inTurns(ranking(facts), running));
};
