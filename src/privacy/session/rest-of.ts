import type { Session, Share } from './session.js';

/**
 * A session seen as if what remains of its budget were all of it: for a mechanism that divides a whole, after something else was paid
 * for. It reads, charges and adds up nothing itself: every act is the session's own, asked for with a share of the whole that is no
 * larger than what remains, so the guarantee is the session's.
 */
export const restOf = (session: Session): Session => {
  const whole = session.remaining;
  const part = (share: Share): Share => share * whole;
  return Object.freeze({
    domain: session.domain,
    relation: session.relation,
    unit: session.unit,
    dataset: session.dataset,
    budget: session.budget,
    release: session.release,
    get remaining() {
      return whole === 0 ? 0 : Math.min(1, Math.floor((session.remaining / whole) * 1e12) / 1e12);
    },
    total: (share) => session.total(part(share)),
    measure: (queries, share, options) => session.measure(queries, part(share), options),
    preview: (queries, share, options) => session.preview(queries, part(share), options),
    select: (candidates, share, options) => session.select(candidates, part(share), options),
    selectCell: (candidates, share, options) => session.selectCell(candidates, part(share), options),
    selectDependence: (candidates, share, options) => session.selectDependence(candidates, part(share), options),
    drawCells: (candidates, share, options) => session.drawCells(candidates, part(share), options),
    previewDraws: (queries, share, options) => session.previewDraws(queries, part(share), options),
    largestError: (candidates, share) => session.largestError(candidates, part(share)),
    bestMixtureError: (rows, marginals, total, share) => session.bestMixtureError(rows, marginals, total, part(share)),
    partition: (by, share, body) => session.partition(by, part(share), body),
    acts: () => session.acts(),
    statement: () => session.statement(),
    close: () => session.close(),
    suspend: () => session.suspend(),
  } satisfies Session);
};
