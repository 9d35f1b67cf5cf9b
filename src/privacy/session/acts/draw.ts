import { InputError } from '../../../domain/input-error.js';
import { logOddsPerRecord, signedScores, signedSensitivity } from '../../answers/signed-scores.js';
import { rational, rationalNumber } from '../../rational.js';
import { drawEpsilonFor } from '../../selection/draw-kind.js';
import type { DoorParts } from '../door-parts.js';
import { ownDrawn, ownQueries } from '../own-input.js';
import type { CellDraw, Door } from '../session.js';

/** One act may be a list of so many draws. */
const mostDraws = 1_000_000;

const ownDraws = (draws: number): number => {
  if (!(Number.isSafeInteger(draws) && draws >= 1 && draws <= mostDraws))
    throw new InputError(`draws: must be a whole number from 1 to ${mostDraws}, got ${draws}`);
  return draws;
};

/** Draws of single answers, whose law is public but for the answers: score what is public, pay, read, draw. */
export const drawing = ({
  domain,
  account,
  exact,
  primitives,
  sensitivityOf,
  memory,
}: DoorParts): Pick<Door, 'drawCells' | 'previewDraws'> => {
  const epsilonOf = (share: number, draws: number) => drawEpsilonFor(account.amount(share), draws, account.currency);

  return {
    previewDraws: (given, share, options) => {
      const sensitivity = signedSensitivity(ownQueries(given).map((query) => sensitivityOf(query).lInf));
      return logOddsPerRecord(rationalNumber(epsilonOf(share, ownDraws(options.draws))), sensitivity);
    },
    async drawCells(given, share, options) {
      const draws = ownDraws(options.draws);
      const candidates = ownDrawn(given);
      const queries = candidates.map(({ query }) => query);
      const moves = queries.map((query) => sensitivityOf(query).lInf);
      exact.check(queries);
      const epsilon = epsilonOf(share, draws);
      const { sensitivity, starts, read } = signedScores(candidates, moves, domain, memory);
      const what = `draw ${draws} of ${2 * starts[candidates.length]}`;
      const charge = { kind: 'exponential-draws', epsilon, draws: rational(draws) } as const;
      const [positions] = await account.pay(what, [charge], async (drawing) => {
        const scores = await read(exact);
        await drawing();
        return [primitives.draw(scores, sensitivity, epsilon, draws)];
      });
      const drawn = Array.from(positions, (position): CellDraw => {
        const answer = Math.floor(position / 2);
        let candidate = 0;
        while (starts[candidate + 1] <= answer) candidate++;
        return { candidate, cell: answer - starts[candidate], sign: position % 2 === 0 ? 1 : -1 };
      });
      return { drawn, perRecord: logOddsPerRecord(rationalNumber(epsilon), sensitivity) };
    },
  };
};
