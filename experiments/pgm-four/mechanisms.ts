import type { Table } from '../../src/domain/table.js';
import { estimateDualQueryBoth } from '../../src/estimate/dual-query/estimate.js';
import { dualQueryRecords } from '../../src/estimate/dual-query/records.js';
import { estimateGraphical, type GraphicalOptions } from '../../src/estimate/graphical/estimate.js';
import { estimateLls } from '../../src/estimate/local/estimate-lls.js';
import { estimateNetwork } from '../../src/estimate/network/estimate-network.js';
import { supportModel } from '../../src/model/support/support-model.js';
import type { Workload } from '../../src/query/workload/workload.js';
import { seeded } from '../../src/random/seeded.js';
import { playDualQuery } from '../../src/release/dual-query/play.js';
import { measureHdmm } from '../../src/release/hdmm/hdmm.js';
import { mwemByMarginals } from '../../src/release/mwem/mwem-by-marginals.js';
import { measureNetwork } from '../../src/release/privbayes/measure-network.js';
import type { Answers } from './error.js';
import { type Asked, withSession } from './with-session.js';

/** One run of a mechanism: a table, what is asked of it, the budget, and the seed of noise and choices. */
export interface Run {
  readonly table: Table;
  readonly workload: Workload;
  readonly budget: Asked;
  readonly seed: number;
  /** Iterations of an estimate at most. */
  readonly iterations: number;
}

/** What came of a run: answers by the mechanism's own estimator, and by the graphical model, to convergence as in the paper and validated. */
export interface Outcome {
  readonly own: Answers;
  readonly converged: Answers;
  readonly validated: Answers;
  /** What one should know of this run. */
  readonly note?: string;
}

/** A mechanism of section 4, run with its own estimator and with graphical models. */
export interface Subject {
  readonly budget: Asked;
  run(run: Run): Promise<Outcome>;
}

/**
 * To convergence: what gains a millionth of the loss in 20 iterations has converged. The paper has Algorithm 2; mirror descent with momentum ends at
 * the same loss, sooner.
 */
const toTheEnd = (iterations: number) =>
  ({ algorithm: 'momentum', until: 'converged', iterations, threads: 1 }) as const;

const validating = { until: 'validated', threads: 1 } as const;

/** Bytes that factored weights may take: a million cells. */
const factoredBytes = 16e6;

const mwem: Subject = {
  budget: { epsilon: 1 },
  // It chooses as it goes, so each estimator has a release of its own.
  run: async ({ table, workload, budget, seed, iterations }) => {
    const release = (how: Omit<Parameters<typeof mwemByMarginals>[2], 'random'>) =>
      withSession(table, budget, seed, (session) =>
        mwemByMarginals(session, workload, { ...how, random: seeded(seed) }),
      );
    const own = await release({ estimator: 'factored', modelBytes: factoredBytes });
    const converged = await release(toTheEnd(iterations));
    const validated = await release(validating);
    const { leftOut } = own.notes as { leftOut: number };
    return {
      own: own.model.answer,
      converged: converged.model.answer,
      validated: validated.model.answer,
      note: leftOut === 0 ? '' : `factored weights could not hold ${leftOut} of ${workload.queries.length} marginals`,
    };
  },
};

const privbayes: Subject = {
  budget: { epsilon: 1 },
  run: async ({ table, budget, seed, iterations }) => {
    const random = seeded(seed);
    const { network, measurements, total } = await withSession(table, budget, seed, (session) =>
      measureNetwork(session, { random, modelBytes: 8e6 }),
    );
    const [, ...marginals] = measurements;
    const estimate = async (how: GraphicalOptions): Promise<Answers> =>
      (await estimateGraphical(table.domain, marginals, { ...how, total, random })).model.answer;
    return {
      own: estimateNetwork(table.domain, network, measurements, { random }).answer,
      converged: await estimate(toTheEnd(iterations)),
      validated: await estimate(validating),
    };
  },
};

const dualQuery: Subject = {
  budget: { epsilon: 1, delta: 0.001 },
  run: async ({ table, workload, budget, seed, iterations }) => {
    const random = seeded(seed);
    const { domain } = table;
    const { game } = await withSession(table, budget, seed, (session) => playDualQuery(session, { workload, random }));
    // The paper has Algorithm 1 with a line search for this loss; momentum comes to the same loss sooner. A hundred-thousandth of the loss is
    // two nats for all draws together.
    const how = { algorithm: 'momentum', iterations, tolerance: 1e-5, threads: 1 } as const;
    const { converged, validated } = await estimateDualQueryBoth(domain, game, how);
    return {
      own: supportModel(dualQueryRecords(domain, game), game.total).answer,
      converged: converged.answer,
      validated: validated.answer,
    };
  },
};

const hdmm: Subject = {
  budget: { epsilon: 1 },
  run: async ({ table, workload, budget, seed, iterations }) => {
    const { domain } = table;
    const { plan, measurements } = await withSession(table, budget, seed, (session) =>
      measureHdmm(session, { workload }),
    );
    const estimate = async (how: GraphicalOptions): Promise<Answers> =>
      (await estimateGraphical(domain, measurements, { ...how, total: table.length, random: seeded(seed) })).model
        .answer;
    return {
      own: estimateLls(domain, measurements, { joint: plan.template === 'marginals' }).answer,
      converged: await estimate(toTheEnd(iterations)),
      validated: await estimate(validating),
    };
  },
};

/** The four mechanisms of section 4. */
export const fourMechanisms = { privbayes, 'dual-query': dualQuery, mwem, hdmm } as const;
export type FourMechanism = keyof typeof fourMechanisms;
