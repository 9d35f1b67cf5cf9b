import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryQuery, domainOf } from '../../test/support/arbitrary-query.js';
import { adjoint } from './adjoint.js';
import { answerFrom, answerSize, attributesOf } from './answer.js';
import { linearMap } from './linear-map.js';

const domain = domainOf(3, 4, 2);
const sizes: Readonly<Record<string, number>> = { a: 3, b: 4, c: 2 };

test('a linear map is the query and its transpose, as often as it is used', () => {
  fc.assert(
    fc.property(arbitraryQuery(domain), fc.integer({ min: 1, max: 100 }), (query, seed) => {
      const { apply, transpose } = linearMap(query, domain);
      const cells = attributesOf(query).reduce((product, name) => product * sizes[name], 1);
      for (const start of [seed, seed + 7]) {
        const counts = Float64Array.from({ length: cells }, (_, i) => (start * (i + 3)) % 11);
        const residual = Float64Array.from({ length: answerSize(query, domain) }, (_, i) => ((start * i) % 13) - 6);
        expect(apply(counts.slice())).toEqual(answerFrom(query, domain, counts));
        expect(transpose(residual.slice())).toEqual(adjoint(query, domain, residual));
      }
    }),
  );
});
