import { expect, test } from 'vitest';
import { domainOf } from '../../domain/domain-of.js';
import type { Session } from '../../privacy/session/session.js';
import { marginal } from '../../query/marginal.js';
import { chooseMarginals, marginalsARound, type OpenCandidate } from './choose-marginals.js';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
const candidates = pairs.map(
  (pair, i): OpenCandidate => ({ query: marginal(...pair), weight: 1, offset: i, reference: new Float64Array(4) }),
);

/** A session whose selections take the last candidate; what it was asked. */
const taking = () => {
  const asked: { open: string[]; share: unknown }[] = [];
  const select: Session['select'] = async (open, share) => {
    asked.push({ open: open.map(({ query }) => (query.kind === 'marginal' ? query.attributes.join('') : '')), share });
    return open.length - 1;
  };
  return { asked, session: { select } as Session };
};

test('marginals of one round are selected by an act each and have no attribute in common', async () => {
  const { asked, session } = taking();
  const chosen = await chooseMarginals(session, candidates, 5, 0.01, () => true);
  expect(chosen.map(({ query }) => query.attributes.join(''))).toEqual(['ef', 'cd', 'ab']);
  expect(asked.map(({ share }) => share)).toEqual([0.01, 0.01, 0.01]);
  expect(asked[1].open).toEqual(['ab', 'ac', 'ad', 'bc', 'bd', 'cd']);
});

test('no more are selected than are wanted, or than fit', async () => {
  const { asked, session } = taking();
  expect(await chooseMarginals(session, candidates, 1, 0.01, () => true)).toEqual([candidates.at(-1)]);
  expect((await chooseMarginals(session, candidates, 5, 0.01, (some) => some.length < 2)).length).toBe(2);
  expect(asked.length).toBe(3);
});

test('a round has one marginal up to 49 attributes', () => {
  const wide = (count: number) =>
    domainOf(Array.from({ length: count }, (_, i) => ({ type: 'integer', name: `a${i}`, min: 0, max: 1 })));
  expect([1, 49, 50, 100, 300].map((count) => marginalsARound(wide(count)))).toEqual([1, 1, 2, 4, 12]);
});
