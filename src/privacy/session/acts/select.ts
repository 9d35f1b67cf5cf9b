import { InputError } from '../../../domain/input-error.js';
import { answerLists } from '../../answers/answer-lists.js';
import { candidateScores, type Scoring, scoreScratch } from '../../answers/candidate-scores.js';
import { rationalNumber } from '../../rational.js';
import { type SelectionMechanism, selectionKinds } from '../../selection/selection-kinds.js';
import type { DoorParts } from '../door-parts.js';
import { ownCandidates, ownMechanism } from '../own-input.js';
import type { Candidate, Door, Share } from '../session.js';

/** Selections: score what is public, pay, read, choose. */
export const selecting = (parts: DoorParts): Pick<Door, 'select' | 'selectCell'> => {
  const { domain, account, exact, primitives, sensitivityOf, scratches } = parts;
  const lists = answerLists(exact, scratches === undefined ? 0 : parts.memory);

  const choose = async (
    given: readonly Candidate[],
    share: Share,
    scoring: Scoring,
    by: SelectionMechanism,
  ): Promise<{ candidate: number; cell: number }> => {
    const candidates = ownCandidates(given);
    const mechanism = ownMechanism(by);
    const { epsilonFor, leavesUnscored } = selectionKinds[mechanism];
    const moves = candidates.map(({ query }) => sensitivityOf(query)[scoring === 'l1' ? 'l1' : 'lInf']);
    exact.check(candidates.map(({ query }) => query));
    const epsilon = epsilonFor(account.amount(share), account.currency);
    // Taken now and not when it is this selection's turn: references are read before anything is paid for.
    const scratch = scratches?.pop() ?? scoreScratch();
    try {
      const { sensitivity, starts, read } = candidateScores(candidates, moves, scoring, domain, {
        scratch,
        epsilon: leavesUnscored ? rationalNumber(epsilon) : undefined,
      });
      const what = `select among ${starts[candidates.length]}`;
      const [[winner]] = await account.pay(what, [{ kind: mechanism, epsilon }], async (drawing) => {
        const scores = await read(lists);
        await drawing();
        return [Float64Array.of(primitives.choose(mechanism, scores, sensitivity, epsilon))];
      });
      let candidate = 0;
      while (starts[candidate + 1] <= winner) candidate++;
      return { candidate, cell: winner - starts[candidate] };
    } finally {
      if (scratches?.length === 0) scratches.push(scratch);
    }
  };

  return {
    async select(candidates, share, { distance = 'l1', mechanism = 'exponential' } = {}) {
      if (distance !== 'l1' && distance !== 'largest')
        throw new InputError(`distance: must be l1 or largest, got ${JSON.stringify(distance)}`);
      return (await choose(candidates, share, distance, mechanism)).candidate;
    },
    selectCell: (candidates, share, { mechanism = 'exponential' } = {}) =>
      choose(candidates, share, 'cells', mechanism),
  };
};
