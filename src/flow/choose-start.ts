import type { Among } from '../bundle/among.js';
import type { Running } from '../domain/running.js';
import type { Threads } from '../model/support/weighted-rows.js';
import type { Measurement } from '../privacy/measurement.js';
import { restOf } from '../privacy/session/rest-of.js';
import type { Session } from '../privacy/session/session.js';
import type { Random } from '../random/random.js';
import { chooseByBudget } from '../release/check-public/choose-public.js';
import type { Prepared } from './prepare-release.js';
import type { Start } from './start.js';

/** A start that was chosen, and the session that its mechanism has. */
export interface ChosenStart {
  readonly start: Start;
  /** All of the budget, or what choosing left of it. */
  readonly session: Session;
  readonly among?: Among | undefined;
  /** What was measured to choose. */
  readonly measurements: readonly Measurement[];
}

/** The start of a release: the one there is, or the one whose public table has the least mixture error, which the session is paid for. */
export const chooseStart = async (
  session: Session,
  { starts, among, choosing }: Prepared,
  run: Running & Threads & { readonly random: Random },
): Promise<ChosenStart> => {
  if (choosing === undefined) return { start: starts[0], session, among, measurements: [] };
  const { share, workload } = choosing;
  const priors = starts.map(({ facts }) => facts.prior!);
  const { choice, found, total } = await chooseByBudget(session, priors, workload, { ...run, share });
  return {
    start: starts[choice],
    session: restOf(session),
    measurements: [total, ...found.flatMap(({ measurements }) => measurements)],
    among: {
      way: 'paid',
      share,
      kind: found[0].mixture.kind,
      tables: found.map(({ mixture, noisy }, t) => ({
        file: starts[t].publicTable!.name,
        rows: starts[t].publicTable!.table.length,
        error: mixture.value,
        margin: mixture.margin,
        noise: noisy.noise,
      })),
    },
  };
};
