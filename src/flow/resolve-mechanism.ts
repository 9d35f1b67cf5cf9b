import { chooseMechanism } from '../release/choose-mechanism.js';
import type { PublicFacts } from '../release/plan.js';
import type { Mechanism } from '../release/registry.js';

/** The mechanism that was named, or the one that public facts choose, with why in a sentence. */
export const resolveMechanism = (
  mechanism: Mechanism | 'auto',
  facts: PublicFacts,
): { readonly mechanism: Mechanism; readonly why?: string | undefined } => {
  if (mechanism !== 'auto') return { mechanism };
  const chosen = chooseMechanism(facts);
  return { mechanism: chosen.mechanism, why: chosen.why };
};
