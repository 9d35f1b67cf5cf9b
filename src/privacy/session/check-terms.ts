import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Relation } from '../../query/relation.js';
import { type Unit, unitText } from '../../query/unit.js';
import type { Ledger } from '../ledger/ledger.js';

/** Refuses to protect what the table does not have, or under a relation by which it cannot be protected. */
export const checkProtected = (unit: Unit, relation: Relation, domain: Domain): void => {
  if (unit.kind !== 'household' && unit.kind !== 'person') return;
  if (domain.households === undefined)
    throw new InputError(`unit: a ${unit.kind} is protected in a table with households, got a plain table`);
  if (unit.kind === 'household' && unit.maxRecords < domain.households.maxSize)
    throw new InputError(
      `unit: a household has up to ${domain.households.maxSize} persons, got a bound of ${unit.maxRecords}`,
    );
  // A person who comes or goes changes the size of a household, and by it whether the others are counted (docs/households.md).
  if (unit.kind === 'person' && relation !== 'replace-one')
    throw new InputError(
      `unit: a person is protected under replace-one only, got ${relation}; ask for replace-one, or protect a household`,
    );
};

/**
 * Refuses a ledger whose figures mean something else. Losses under different relations or units do not add up to a statement about
 * anybody, and noise from a seed is no loss but a disclosure: each needs a ledger, and a total, of its own.
 */
export const checkTerms = (
  ledger: Pick<Ledger, 'relation' | 'unit' | 'seeds' | 'durable'>,
  { relation, unit, seeded }: { readonly relation: Relation; readonly unit: Unit; readonly seeded: boolean },
): void => {
  if (ledger.relation !== relation)
    throw new InputError(
      `ledger: counts losses under ${ledger.relation}, got a release under ${relation}, whose losses do not add to them; ask for ${ledger.relation}, or start another ledger for ${relation} and add the totals up yourself`,
    );
  if (unitText(ledger.unit) !== unitText(unit))
    throw new InputError(
      `ledger: protects ${unitText(ledger.unit)}, got a release that protects ${unitText(unit)}, whose losses do not add to them; protect the same, or start another ledger`,
    );
  if (seeded && !ledger.seeds)
    throw new InputError('ledger: takes exact noise, got noise from a seed, which protects nobody', {
      kind: 'test-ledger',
    });
  if (!seeded && ledger.seeds && ledger.durable)
    throw new InputError(
      'ledger: was made for noise from a seed, got a release with exact noise; use the ledger of the table itself',
    );
};
