import {
  bestMixtureStatistic,
  type ErrorStatistic,
  largestErrorStatistic,
  unitsPerRecord,
} from '../../answers/error-statistics.js';
import type { NoisyError } from '../../measurement.js';
import { noiseChargeFor, noiseIn, noiseKinds } from '../../noise/noise-kinds.js';
import { rational } from '../../rational.js';
import type { DoorParts } from '../door-parts.js';
import { ownCandidates, ownMarginals, ownRows } from '../own-input.js';
import type { Door, Share } from '../session.js';

/** A statistic that is one number gets Laplace noise in every currency. */
const kind = 'laplace';

/** Errors of public references over many answers, as one noisy number: pay, read, add noise. */
export const measuringErrors = ({
  domain,
  account,
  exact,
  primitives,
  sensitivityOf,
}: DoorParts): Pick<Door, 'largestError' | 'bestMixtureError'> => {
  const measureError = async (
    what: string,
    share: Share,
    { sensitivity, read }: ErrorStatistic,
  ): Promise<NoisyError> => {
    const charge = noiseChargeFor(kind, account.amount(share), rational(sensitivity), account.currency);
    const { parameter } = noiseIn(charge);
    const [[noisy]] = await account.pay(what, [charge], async (drawing) => {
      const exactly = Float64Array.of(await read(exact));
      await drawing();
      return [primitives.addNoise(kind, exactly, parameter)];
    });
    const scale = noiseKinds[kind].scaleOf(parameter) / unitsPerRecord;
    return { value: noisy / unitsPerRecord, noise: { kind, scale } };
  };

  return {
    async largestError(given, share) {
      const candidates = ownCandidates(given);
      const queries = candidates.map(({ query }) => query);
      exact.check(queries);
      const moves = queries.map((query) => sensitivityOf(query).lInf);
      return measureError('measure a largest error', share, largestErrorStatistic(candidates, moves, domain));
    },
    async bestMixtureError(rows, given, total, share) {
      const marginals = ownMarginals(given);
      exact.check(marginals);
      const moves = marginals.map((query) => sensitivityOf(query).lInf);
      const statistic = bestMixtureStatistic(ownRows(rows), marginals, total, moves);
      return measureError('measure a best mixture error', share, statistic);
    },
  };
};
