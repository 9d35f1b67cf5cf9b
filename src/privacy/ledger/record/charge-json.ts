import { InputError } from '../../../domain/input-error.js';
import { type Charge, chargeKinds, type SingleCharge } from '../../accounting/charge.js';
import type { Rational } from '../../rational.js';
import type { Plain } from './plain.js';

const text = ({ numerator, denominator }: Rational): string =>
  denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;

/** The names of terms that a charge has, and of those that it may have. */
const namesOf = (
  kind: SingleCharge['kind'],
): { readonly members: readonly string[]; readonly details: readonly string[] } => {
  const { members, details = [] } = chargeKinds[kind];
  return { members, details };
};

/** A charge as the ledger writes it: rationals are strings such as `2` or `3/2`. */
export const chargeToJson = (charge: Charge): Plain => {
  const { kind } = charge;
  if (kind === 'parallel') return { kind, groups: charge.groups.map((group) => group.map(chargeToJson)) };
  const terms = charge as unknown as Readonly<Record<string, Rational | undefined>>;
  const { members, details } = namesOf(kind);
  const named = [...members, ...details].flatMap((name) => {
    const term = terms[name];
    return term === undefined ? [] : [[name, text(term)]];
  });
  return { kind, ...Object.fromEntries(named) };
};

const rational = (value: unknown): Rational => {
  const match = typeof value === 'string' ? /^(\d{1,4000})(?:\/(\d{1,4000}))?$/.exec(value) : null;
  const numerator = BigInt(match?.[1] ?? 0);
  const denominator = BigInt(match?.[2] ?? 1);
  if (numerator === 0n || denominator === 0n) throw new InputError('charge: needs positive fractions such as 3/2');
  return { numerator, denominator };
};

const singleKinds = Object.keys(chargeKinds) as SingleCharge['kind'][];

/** Reads what `chargeToJson` wrote; anything else is an `InputError`. */
export const chargeFromJson = (json: unknown): Charge => {
  const from = (typeof json === 'object' && json !== null ? json : {}) as { readonly [key: string]: unknown };
  if (from.kind === 'parallel' && Array.isArray(from.groups) && from.groups.every(Array.isArray))
    return { kind: from.kind, groups: from.groups.map((group: unknown[]) => group.map(chargeFromJson)) };
  const kind = singleKinds.find((name) => name === from.kind);
  if (kind === undefined) throw new InputError('charge: must be one that surmise wrote, got another kind');
  const { members, details } = namesOf(kind);
  const told = details.filter((name) => from[name] !== undefined);
  const terms = [...members, ...told].map((name) => [name, rational(from[name])]);
  return { kind, ...Object.fromEntries(terms) } as SingleCharge;
};
