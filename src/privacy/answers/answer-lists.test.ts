import { describe, expect, it } from 'vitest';
import { plainDomain, plainSource } from '../../../test/support/plain-source.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { answerLists, type ListedAnswers } from './answer-lists.js';
import { type ExactAnswers, exactAnswers } from './exact-answers.js';

const domain = plainDomain([3, 2]);
// Counts of a x b: 2 0 | 0 1 | 0 3.
const rows = [
  [0, 0],
  [0, 0],
  [1, 1],
  [2, 1],
  [2, 1],
  [2, 1],
];

const counting = (): { exact: ExactAnswers; asked: Query[][] } => {
  const inner = exactAnswers(plainSource(domain, rows), 2 ** 20);
  const asked: Query[][] = [];
  const each: ExactAnswers['each'] = (queries, visit) => {
    asked.push([...queries]);
    return inner.each(queries, visit);
  };
  return { exact: { check: inner.check, each }, asked };
};

const plain = ({ named, others, otherAnswers }: ListedAnswers) => ({
  named: [...named],
  others: [...others],
  otherAnswers: [...otherAnswers],
});

const both = marginal('a', 'b');
const [a, b] = [marginal('a'), marginal('b')];

const read = async (
  exact: ExactAnswers,
  queries: readonly Query[],
  cells: readonly (Uint32Array | undefined)[],
  lists = answerLists(exact, 2 ** 20),
): Promise<unknown[]> => {
  const found: unknown[] = [];
  await lists.each(queries, cells, (answers, index) => found.push([index, plain(answers)]));
  return found;
};

describe('lists of answers', () => {
  it('are what is named and what is not 0', async () => {
    const { exact } = counting();
    expect(await read(exact, [both, both, a], [Uint32Array.of(1, 3), Uint32Array.of(), undefined])).toEqual([
      [0, { named: [0, 1], others: [0, 5], otherAnswers: [2, 3] }],
      [1, { named: [], others: [0, 3, 5], otherAnswers: [2, 1, 3] }],
      [2, { named: [2, 1, 3], others: [], otherAnswers: [] }],
    ]);
  });

  it('are kept for the same query and cells, and made anew for others', async () => {
    const { exact, asked } = counting();
    const lists = answerLists(exact, 2 ** 20);
    const [cells, more] = [Uint32Array.of(0, 1), Uint32Array.of(0)];
    const first = await read(exact, [both, a, b], [cells, more, more.slice()], lists);
    expect(asked).toEqual([[both, a, b]]);
    expect(await read(exact, [both, a], [cells, more], lists)).toEqual(first.slice(0, 2));
    expect(asked.length).toBe(1);
    // Another query by the same cells.
    expect(await read(exact, [a], [cells], lists)).toEqual(await read(exact, [a], [cells]));
    // Between kept ones, only what is missing is read, and the order stays.
    asked.length = 0;
    const mixed = await read(exact, [a, both, b, a], [more, Uint32Array.of(4), Uint32Array.of(1), more], lists);
    expect(asked).toEqual([[both, b]]);
    expect(mixed.map((entry) => (entry as [number])[0])).toEqual([0, 1, 2, 3]);
  });

  it('are not kept beyond the memory', async () => {
    const { exact, asked } = counting();
    const cells = Uint32Array.of(0, 1);
    const lists = answerLists(exact, 10);
    for (let i = 0; i < 2; i++) await read(exact, [both], [cells], lists);
    expect(asked.length).toBe(2);
  });
});
