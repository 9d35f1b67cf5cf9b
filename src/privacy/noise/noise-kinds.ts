import type { Amount } from '../accounting/amount.js';
import type { Currency } from '../accounting/currency.js';
import type { Rational } from '../rational.js';
import { type GaussianTerms, gaussian } from './gaussian.js';
import { type LaplaceTerms, laplace } from './laplace.js';
import type { NoiseKind } from './noise-kind.js';

/** What a charge for each kind of noise holds. */
export interface NoiseTerms {
  readonly gaussian: GaussianTerms;
  readonly laplace: LaplaceTerms;
}

/** The kinds of noise. */
export type NoiseName = keyof NoiseTerms;

/** Every kind of noise there is. */
export const noiseKinds: { readonly [Name in NoiseName]: NoiseKind<NoiseTerms[Name]> } = { gaussian, laplace };

export const noiseNames = Object.keys(noiseKinds) as NoiseName[];

/** The noise of a measurement that asks for no kind. */
export const defaultNoise: Readonly<Record<Currency, NoiseName>> = {
  pure: 'laplace',
  zcdp: 'gaussian',
  gdp: 'gaussian',
};

/** A charge for noise. */
export type NoiseCharge<Name extends NoiseName = NoiseName> = {
  [Own in Name]: { readonly kind: Own } & NoiseTerms[Own];
}[Name];

/** The charge for the least noise of a kind that `share` buys. */
export const noiseChargeFor = (
  kind: NoiseName,
  share: Amount,
  sensitivity: Rational,
  currency: Currency,
): NoiseCharge => ({ kind, ...noiseKinds[kind].termsFor(share, sensitivity, currency) }) as NoiseCharge;

/** Whether a charge is one for noise. */
export const isNoiseCharge = (charge: { readonly kind: string }): charge is NoiseCharge =>
  Object.hasOwn(noiseKinds, charge.kind);

/** What was charged for, whatever the kind calls it. */
export const noiseIn = (charge: NoiseCharge): { readonly sensitivity: Rational; readonly parameter: Rational } => {
  const terms = charge as unknown as Readonly<Record<string, Rational>>;
  const [sensitivity, parameter] = noiseKinds[charge.kind].members;
  return { sensitivity: terms[sensitivity], parameter: terms[parameter] };
};
