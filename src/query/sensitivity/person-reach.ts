import type { Domain } from '../../domain/domain.js';
import type { FactoredQuery, LinearQuery } from '../query.js';
import { type Reach, reachOf, type Size } from './reach.js';

/**
 * How far a person reaches in the answers of a query when everything that is said of the household stays: of a product, the largest column of
 * its household factors times the largest difference of two columns of its person factors, because |h (x) p - h (x) p'| = |h| |p - p'| in every norm.
 */
export const personReach = (query: LinearQuery, domain: Domain): Reach => {
  const whole = reachOf(query, domain);
  const shared = new Set(domain.households?.attributes);
  if (query.kind === 'dense') {
    const own = query.attributes.filter((name) => !shared.has(name));
    // Pairs of cells that differ in the household too are among those compared: a bound.
    const exact = whole.exact && own.length === query.attributes.length;
    return own.length === 0 ? { ...whole, pair: nothing, exact: true } : { ...whole, exact };
  }
  const factors: FactoredQuery['factors'] =
    query.kind === 'factored'
      ? query.factors
      : query.attributes.map((attribute) => ({ attribute, block: { kind: 'keep' } }));
  const part = (isShared: boolean): Reach =>
    reachOf(
      { kind: 'factored', factors: factors.filter(({ attribute }) => shared.has(attribute) === isShared) },
      domain,
    );
  const [household, person] = [part(true), part(false)];
  return { column: whole.column, pair: times(household.column, person.pair), exact: person.exact };
};

const nothing: Size = { l1: 0n, l2Squared: 0n, lInf: 0n };

const times = (a: Size, b: Size): Size => ({
  l1: a.l1 * b.l1,
  l2Squared: a.l2Squared * b.l2Squared,
  lInf: a.lInf * b.lInf,
});
