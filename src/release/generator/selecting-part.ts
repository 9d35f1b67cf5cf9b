import type { Currency } from '../../privacy/accounting/currency.js';
import type { Share } from '../../privacy/session/session.js';

/**
 * The part of a round's budget that selects, when a part alpha of its epsilon does: costs grow with epsilon in a pure budget, with its
 * square in zCDP (epsilon_0 of H-GEM's Algorithm 3).
 */
export const selectingPart = (alpha: number, currency: Currency): number => {
  const power = currency === 'pure' ? 1 : 2;
  return alpha ** power / (alpha ** power + (1 - alpha) ** power);
};

/** What each of so many rounds selects and measures with, when they share a part of the budget equally. */
export const roundShares = (share: Share, rounds: number, alpha: number, currency: Currency) => {
  const round = share / rounds;
  const selecting = round * selectingPart(alpha, currency);
  return { selecting, measuring: round - selecting };
};
