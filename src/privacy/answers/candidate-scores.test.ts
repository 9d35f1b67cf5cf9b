import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goodnessOfFit } from '../../../experiments/statistics/chi-square.js';
import { expandScores, membersOf } from '../../../test/support/expand-scores.js';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { marginal } from '../../query/marginal.js';
import { seededEntropy } from '../entropy.js';
import { exactPrimitives } from '../primitives.js';
import { rational, rationalNumber } from '../rational.js';
import { ownCandidates } from '../session/own-input.js';
import type { Candidate } from '../session/session.js';
import { answerLists } from './answer-lists.js';
import { candidateScores, scoreScratch } from './candidate-scores.js';
import { exactAnswers } from './exact-answers.js';
import { nameCells } from './named-cells.js';

const domain = plainDomain([2, 3, 2]);
const rows: Row[] = [
  [0, 0, 1],
  [1, 2, 0],
  [1, 2, 1],
  [0, 1, 1],
];
const queries = [marginal('a', 'b'), marginal('b'), marginal('c', 'a', 'b')];
const sizes = [6, 3, 12];

const scoresOf = async (
  candidates: readonly Candidate[],
  scoring: 'l1' | 'largest' | 'cells',
  epsilon?: number,
): Promise<number[]> => {
  const exact = answerLists(exactAnswers(plainSource(domain, rows), 2 ** 20), 2 ** 20);
  return expandScores(
    await candidateScores(ownCandidates(candidates), [1, 1, 1], scoring, domain, { epsilon }).read(exact),
  );
};

describe('references', () => {
  it('of some answers only are those with zeros in between, for every scoring', async () => {
    const reference = fc.double({ min: -3, max: 9, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...sizes.map((size) => fc.array(fc.option(reference), { minLength: size, maxLength: size }))),
        fc.constantFrom('l1' as const, 'largest' as const, 'cells' as const),
        // Of one record to forty, cells are left unscored.
        fc.constantFrom(undefined, 4, 2, 1, 0.1),
        async (given, scoring, epsilon) => {
          const dense = queries.map((query, q) => ({
            query,
            reference: given[q].map((value) => value ?? 0),
            weight: q + 1,
            offset: q,
          }));
          const sparse = dense.map((candidate, q) => ({
            ...candidate,
            cells: nameCells(given[q].flatMap((value, cell) => (value === null ? [] : [cell]))),
            reference: Float64Array.from(given[q].filter((value) => value !== null)),
          }));
          expect(await scoresOf(sparse, scoring, epsilon)).toEqual(await scoresOf(dense, scoring));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('may be in other units than records', async () => {
    const shares = Float64Array.of(0.25, 0, 0.5, 0.125, 0, 0.125);
    const inRecords = [{ query: queries[0], reference: shares.map((share) => share * 4) }];
    expect(await scoresOf([{ query: queries[0], reference: shares, scale: 4 }], 'cells')).toEqual(
      await scoresOf(inRecords, 'cells'),
    );
  });

  it('must name ascending answers that there are, one reference each, with a finite scale', () => {
    const refuse = (over: Partial<Candidate>): unknown =>
      expect(() =>
        candidateScores(ownCandidates([{ query: queries[1], reference: [1, 2], ...over }]), [1], 'cells', domain),
      ).toThrow(/^candidates: /);
    refuse({});
    refuse({ cells: nameCells([1, 3]) });
    refuse({ cells: nameCells([0]) });
    refuse({ cells: { length: 2 } });
    refuse({ cells: nameCells([0, 1]), scale: Number.NaN });
    refuse({ cells: nameCells([0, 1]), scale: 1e308, reference: [1e300, 1] });
    for (const cells of [
      [1, 1],
      [2, 0],
    ])
      expect(() => nameCells(cells)).toThrow(/^cells: must ascend/);
  });
});

describe('selection among cells', () => {
  it('has the law of every cell standing alone, whatever is left unscored', async () => {
    const epsilon = rational(3, 2);
    const candidates = [
      { query: queries[0], cells: nameCells([0, 2, 5]), reference: [1.5, 0.25, 4] },
      { query: queries[1], reference: [1, 1, 1], weight: 0.5 },
      { query: queries[2], cells: nameCells([1, 6]), reference: [0.5, 3], offset: 0.5 },
    ];
    const dense = await scoresOf(candidates, 'cells');
    const exact = answerLists(exactAnswers(plainSource(domain, rows), 2 ** 20), 2 ** 20);
    const scoring = candidateScores(ownCandidates(candidates), [1, 1, 1], 'cells', domain, {
      epsilon: rationalNumber(epsilon),
    });
    const { sensitivity } = scoring;
    const scores = await scoring.read(exact);
    expect(scores.unscored.length).toBe(2);
    // Some unscored cells would score differently, so that they must be looked at one by one.
    expect(new Set(membersOf(scores.unscored[0])).size).toBeGreaterThan(1);
    const primitives = exactPrimitives(seededEntropy(5));
    const observed = new Float64Array(dense.length);
    for (let i = 0; i < 40_000; i++) observed[primitives.choose('exponential', scores, sensitivity, epsilon)]++;
    const weights = dense.map((score) => Math.exp((1.5 * score) / (2 * (sensitivity + 1))));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    expect(
      goodnessOfFit(
        observed,
        weights.map((weight) => weight / total),
      ).fits,
    ).toBe(true);
    const wrong = dense.map((score) => Math.exp((1.2 * score) / (2 * (sensitivity + 1))));
    const wrongTotal = wrong.reduce((sum, weight) => sum + weight, 0);
    expect(
      goodnessOfFit(
        observed,
        wrong.map((weight) => weight / wrongTotal),
      ).fits,
    ).toBe(false);
  });

  it('keeps nothing of earlier candidates in its scratch', async () => {
    const exact = answerLists(exactAnswers(plainSource(domain, rows), 2 ** 20), 2 ** 20);
    const scratch = scoreScratch();
    const cells = nameCells([0, 3, 7]);
    for (const [reference, epsilon] of [
      [[9, 9, 9], 1],
      [[0, 1, 0], 100],
      [[0, 0, 2], undefined],
      [[5, 0, 0], 3],
    ] as const) {
      const candidates = [{ query: queries[2], cells, reference }];
      const scoring = candidateScores(ownCandidates(candidates), [1], 'cells', domain, { scratch, epsilon });
      expect(expandScores(await scoring.read(exact))).toEqual(await scoresOf(candidates, 'cells'));
    }
  });
});

describe('a rival', () => {
  const small = plainDomain([2, 2]);
  const all: Row[] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ];
  const query = marginal('a', 'b');
  const scored = async (table: Row[], candidate: Omit<Candidate, 'query'>, moves: number) => {
    const exact = answerLists(exactAnswers(plainSource(small, table), 2 ** 20), 2 ** 20);
    const scoring = candidateScores(ownCandidates([{ query, ...candidate }]), [moves], 'l1', small);
    return { score: (await scoring.read(exact)).single[0], sensitivity: scoring.sensitivity };
  };

  it('is scored by how much nearer than the reference it is', async () => {
    const table: Row[] = [
      [0, 0],
      [0, 0],
      [1, 1],
    ];
    const given = { reference: [0, 1, 0, 0.5], rival: [1.5, 0, 0.25, 1], offset: 0.25 };
    const { score } = await scored(table, given, 1);
    // |2| + |1| + 0 + 0.5, less 0.5 + 0 + 0.25 + 0, less the offset; a record is 256 units of weight 1,024.
    expect(score / 1024 / 256).toBe(3.5 - 0.75 - 0.25);
    expect(
      (await scored(table, { ...given, scale: 2, reference: [0, 0.5, 0, 0.25], rival: [0.75, 0, 0.125, 0.5] }, 1))
        .score,
    ).toBe(score);
  });

  it.each([
    [
      'added or removed',
      1,
      (table: Row[]) => [...all.map((row) => [...table, row]), ...table.map((_, i) => table.filter((_, j) => j !== i))],
    ],
    [
      'replaced',
      2,
      (table: Row[]) => table.flatMap((_, i) => all.map((row) => table.map((old, j) => (i === j ? row : old)))),
    ],
  ] as const)(
    'moves by twice what a distance moves, and no neighbour moves it more, where a row is %s',
    async (_, moves, neighbours) => {
      const answers = [
        [0, 0, 0, 0],
        [3, 0, 0, 3],
        [1, 1, 1, 1],
        [0.5, 3, 0, 2],
        [3, 3, 3, 3],
      ];
      const tables: Row[][] = [
        [],
        ...all.map((row) => [row]),
        ...all.flatMap((one) => all.map((other) => [one, other])),
      ];
      let [worst, claimed] = [0, 0];
      for (const reference of answers)
        for (const rival of answers)
          for (const table of tables) {
            const { score, sensitivity } = await scored(table, { reference, rival }, moves);
            claimed = sensitivity;
            for (const other of neighbours(table))
              worst = Math.max(worst, Math.abs(score - (await scored(other, { reference, rival }, moves)).score));
          }
      expect(worst).toBe(claimed);
      expect(claimed).toBe(2 * moves * 1024 * 256);
    },
  );

  it('must have as many answers as the query, without named cells, and l1 as the distance', async () => {
    const own = (rival: number[], over: Partial<Candidate> = {}) =>
      ownCandidates([{ query, reference: [0, 0, 0, 0], rival, ...over }]);
    expect(() => candidateScores(own([1, 2]), [1], 'l1', small)).toThrow(/has 4 answers, got 2 of its rival/);
    expect(() => candidateScores(own([1, 2, 3, Number.NaN]), [1], 'l1', small)).toThrow(
      /a rival answer must be finite/,
    );
    for (const scoring of ['largest', 'cells'] as const)
      expect(() => candidateScores(own([1, 2, 3, 4]), [1], scoring, small)).toThrow(/needs the distance l1/);
    expect(() =>
      candidateScores(own([1, 2, 3, 4], { cells: nameCells([0]), reference: [1] }), [1], 'l1', small),
    ).toThrow(/needs the distance l1 .* got named cells/);
  });
});
