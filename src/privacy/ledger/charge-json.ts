import { InputError } from '../../domain/input-error.js';
import type { Charge } from '../accounting/charge.js';
import type { Rational } from '../rational.js';
import type { Plain } from './plain.js';

const text = ({ numerator, denominator }: Rational): string =>
  denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;

/** A charge as the ledger writes it: rationals are strings such as `2` or `3/2`. */
export const chargeToJson = (charge: Charge): Plain => {
  switch (charge.kind) {
    case 'gaussian':
      return {
        kind: charge.kind,
        sensitivitySquared: text(charge.sensitivitySquared),
        sigmaSquared: text(charge.sigmaSquared),
      };
    case 'laplace':
      return { kind: charge.kind, sensitivity: text(charge.sensitivity), scale: text(charge.scale) };
    case 'exponential':
    case 'permute-and-flip':
      return { kind: charge.kind, epsilon: text(charge.epsilon) };
    case 'parallel':
      return { kind: charge.kind, groups: charge.groups.map((group) => group.map(chargeToJson)) };
  }
};

const rational = (value: unknown): Rational => {
  const match = typeof value === 'string' ? /^(\d{1,4000})(?:\/(\d{1,4000}))?$/.exec(value) : null;
  const numerator = BigInt(match?.[1] ?? 0);
  const denominator = BigInt(match?.[2] ?? 1);
  if (numerator === 0n || denominator === 0n) throw new InputError('charge: needs positive fractions such as 3/2');
  return { numerator, denominator };
};

/** Reads what `chargeToJson` wrote; anything else is an `InputError`. */
export const chargeFromJson = (json: unknown): Charge => {
  const from = (typeof json === 'object' && json !== null ? json : {}) as { readonly [key: string]: unknown };
  switch (from.kind) {
    case 'gaussian':
      return {
        kind: from.kind,
        sensitivitySquared: rational(from.sensitivitySquared),
        sigmaSquared: rational(from.sigmaSquared),
      };
    case 'laplace':
      return { kind: from.kind, sensitivity: rational(from.sensitivity), scale: rational(from.scale) };
    case 'exponential':
    case 'permute-and-flip':
      return { kind: from.kind, epsilon: rational(from.epsilon) };
    case 'parallel':
      if (!Array.isArray(from.groups) || !from.groups.every(Array.isArray)) break;
      return { kind: from.kind, groups: from.groups.map((group: unknown[]) => group.map(chargeFromJson)) };
  }
  throw new InputError('charge: must be one that surmise wrote, got another kind');
};
