import { cellsOf, type Domain, sizesOf } from '../../domain/domain.js';
import type { Engine } from '../../kernel/engine.js';
import { reordered } from '../../model/graphical/reordered.js';
import { attributesOf } from '../../query/answer.js';
import { linearMap } from '../../query/linear-map.js';
import type { CustomLoss } from '../graphical/loss/custom-loss.js';
import { cliqueKey, distinctCliques } from '../graphical/targets.js';
import { binaryQueries } from './binary-queries.js';
import type { DualQueryGame } from './game.js';
import { type PartitionPoint, partitionFunctions } from './partition-functions.js';

/** Which draws count: by their number within their round. */
export type DrawFilter = (index: number) => boolean;

/** Losses of several parts of the draws of one game, which share what they have in common. */
export interface DualQueryLosses {
  /** The loss of the draws that count; all by default. */
  of(counts?: DrawFilter): CustomLoss;
}

/**
 * The negative log-likelihood of DualQuery's draws (Private-PGM, Algorithm 5) as a loss of marginals. In round t the pair of answer q
 * and sign b was drawn with a chance proportional to exp(b eta (t - 1) (y_q - r_tq)), where y are the answers as proportions and r_t
 * those of the records of earlier rounds: with Z_t the sum of these over all pairs, and c_tq the draws of q in round t by their signs,
 *
 *   loss = sum_t (s_t log Z_t - eta (t - 1) sum_q c_tq (y_q - r_tq)),
 *   d loss / d y_q = sum_t eta (t - 1) (s_t (P_t(q, 1) - P_t(q, -1)) - c_tq).
 *
 * It is convex. An evaluation goes over all answers in all rounds, twice.
 */
export const dualQueryLosses = (engine: Engine, domain: Domain, game: DualQueryGame): DualQueryLosses => {
  const binary = binaryQueries(domain, game.queries);
  const { queries, starts, answers } = binary;
  const rounds = game.rounds.slice(1);
  const hits = game.rounds.slice(0, -1).map(({ record }) => binary.answersOf(record));
  /** Shares and epsilons are rounded, to a part in a million: eta is that of the last round, whose draws say most. */
  const eta = rounds.length === 0 ? 0 : (rounds[rounds.length - 1].perRecord * game.total) / rounds.length;
  const sums = partitionFunctions(engine, answers, hits, eta);
  const cliques = distinctCliques(queries.map(attributesOf));
  const places = queries.map((query) => {
    const attributes = attributesOf(query);
    const clique = cliques.findIndex((names) => cliqueKey(names) === cliqueKey(attributes));
    const [sizes, own] = [sizesOf(domain, attributes), sizesOf(domain, cliques[clique])];
    // Mostly they are as the clique has them, and nothing has to be copied.
    const alike = attributes.every((name, i) => name === cliques[clique][i]);
    const from = (table: Float64Array) => (alike ? table : reordered(table, cliques[clique], own, attributes));
    const back = (table: Float64Array) => (alike ? table : reordered(table, attributes, sizes, cliques[clique]));
    return { map: linearMap(query, domain), clique, from, back };
  });

  let known: { readonly y: Float64Array; readonly point: PartitionPoint } | undefined;
  let spare: Float64Array = new Float64Array(answers);
  /** The answers to all queries, with log Z_t; what was found last is kept, since the gradient is asked for where the value was. */
  const evaluate = (marginals: readonly Float64Array[]): NonNullable<typeof known> => {
    const y = spare;
    places.forEach(({ map, clique, from }, i) => {
      y.set(map.apply(from(marginals[clique])), starts[i]);
    });
    if (known !== undefined && same(y, known.y)) return known;
    spare = known?.y ?? new Float64Array(answers);
    known = { y, point: sums.at(y) };
    return known;
  };

  /** The part that is linear in the answers: sum_t eta (t - 1) c_tq for each, and its constant, sum_t eta (t - 1) sum_q c_tq r_tq. */
  const linearOf = (counts: DrawFilter) => {
    const linear = new Float64Array(answers);
    const draws = new Float64Array(rounds.length);
    const past = new Float64Array(answers);
    let constant = 0;
    for (const [i, { drawn }] of rounds.entries()) {
      for (const answer of hits[i]) past[answer]++;
      for (const { answer, sign } of drawn.filter((_, k) => counts(k))) {
        draws[i]++;
        linear[answer] += eta * (i + 1) * sign;
        constant += eta * sign * past[answer];
      }
    }
    return { linear, draws, constant };
  };

  const of = (counts: DrawFilter = () => true): CustomLoss => {
    const { linear, draws, constant } = linearOf(counts);
    // The second derivative of log Z_t along dy is at most (eta t)^2 max dy^2, and an answer changes by no more than the probabilities.
    const curvature = draws.reduce((sum, number, i) => sum + number * (eta * (i + 1)) ** 2, 0);
    return {
      cliques,
      curvature: curvature > 0 ? curvature : undefined,
      value(marginals) {
        const {
          y,
          point: { logs },
        } = evaluate(marginals);
        let loss = constant;
        for (let t = 0; t < logs.length; t++) loss += draws[t] * logs[t];
        for (let i = 0; i < answers; i++) loss -= linear[i] * y[i];
        return loss;
      },
      gradient(marginals) {
        const slopes = evaluate(marginals).point.slopes(draws);
        for (let i = 0; i < answers; i++) slopes[i] -= linear[i];
        const gradients = cliques.map((names) => new Float64Array(cellsOf(domain, names)));
        places.forEach(({ map, clique, back }, i) => {
          const own = back(map.transpose(slopes.subarray(starts[i], starts[i + 1])));
          for (let cell = 0; cell < own.length; cell++) gradients[clique][cell] += own[cell];
        });
        return gradients;
      },
    };
  };
  return { of };
};

const same = (a: Float64Array, b: Float64Array): boolean => {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};
