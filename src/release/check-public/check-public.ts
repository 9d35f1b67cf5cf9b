import { InputError } from '../../domain/input-error.js';
import type { Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import { noiseKinds } from '../../privacy/noise/noise-kinds.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import { marginalsOf } from '../marginals-of.js';
import type { MultiplicativeWeightsOptions } from '../rounds/private-multiplicative-weights.js';
import {
  type CheckedError,
  type CheckedMixture,
  checkedError,
  measureMixture,
  mixtureKind,
} from './measure-mixture.js';

/** What a check of a public table found out. Everything in it is noisy or public. */
export interface PublicCheck {
  /** Noisy number of private records. */
  readonly total: number;
  /** Largest error of the workload's cells when the public table is taken as it is. */
  readonly asIs: CheckedError;
  /** Largest error under the best weighting of the public rows, or under one found in rounds, which is at least as large. */
  readonly mixture: CheckedMixture;
  /** Largest error to be expected from measuring every cell of the workload at once with the release's budget. */
  readonly direct: number;
  readonly verdict: Verdict;
}

/** What a check of a public table comes to. */
export interface Verdict {
  readonly advice: 'as-is' | 'reweight' | 'unsuitable' | 'uncertain';
  /** Why, in a sentence or two. */
  readonly text: string;
}

/** What a check of a public table spends, and what it compares. */
export interface CheckPublicOptions extends Omit<MultiplicativeWeightsOptions, 'share' | 'total' | 'totalShare'> {
  /** Share of the session's budget that the check may spend. */
  readonly share: Share;
  /** Share of the same budget that a release would have; the rest by default. */
  readonly releaseShare?: Share | undefined;
}

const percent = (value: number): string => `${(100 * Math.max(0, value)).toPrecision(2)}%`;

/**
 * What a public table is good for. The support serves when a weighting of its rows errs less than measuring without it would;
 * weighting is worth while when it is clearly better than the table as it is. Pure: it sees noisy and public numbers only.
 */
export const adviseOnPublic = ({ asIs, mixture, direct }: Omit<PublicCheck, 'verdict' | 'total'>): Verdict => {
  const found = `the largest error of a cell is about ${percent(asIs.value)} with the public table as it is, ${mixture.kind === 'exact' ? '' : 'at most '}about ${percent(mixture.value)} with its rows weighted as well as possible, and about ${percent(direct)} when every cell is measured with noise`;
  if (mixture.value - mixture.margin > direct && mixture.kind === 'exact')
    return {
      advice: 'unsuitable',
      text: `No weighting of these public rows fits the private table: ${found}. Use another public table, or a mechanism that needs none.`,
    };
  if (mixture.value + mixture.margin <= direct) {
    const gain = asIs.value - mixture.value;
    if (gain <= asIs.margin + mixture.margin && asIs.value <= direct)
      return {
        advice: 'as-is',
        text: `The public table is already about as close as a weighting of its rows: ${found}. A release will change it little.`,
      };
    return { advice: 'reweight', text: `The public rows can be weighted to fit: ${found}.` };
  }
  return {
    advice: 'uncertain',
    text: `It is open whether the public rows can be weighted to fit: ${found}. Spend more on the check, or compare public tables with one another.`,
  };
};

/**
 * Tells a data holder, for a small part of the budget, whether a public table can serve: its largest error as it is, and its best
 * mixture error (PMW-Pub, section 3.1 and Lemma A.8), exactly for small problems; for larger ones the error of a weighting
 * found by private rounds, which bounds it from above.
 */
export const checkPublic = async (
  session: Session,
  prior: Support,
  workload: Workload,
  options: CheckPublicOptions,
): Promise<PublicCheck> => {
  const { share } = options;
  const releaseShare = options.releaseShare ?? session.remaining - share;
  if (!(share > 0 && releaseShare > 0 && share + releaseShare <= session.remaining + 1e-9))
    throw new InputError(`share: the check must leave something for the release, got ${share}`);
  const marginals = marginalsOf(workload);
  const cells = marginals.map((query) => supportModel(prior, 1).answer(query));
  const count = cells.reduce((sum, { length }) => sum + length, 0);
  const [noise] = session.preview(marginals, releaseShare);

  const counted = await session.total(share / 5);
  const total = Math.max(1, counted.values[0]);
  const candidates = marginals.map((query, m) => ({ query, reference: cells[m], scale: total }));
  const asIs = checkedError(await session.largestError(candidates, share / 5), total);
  const kind = mixtureKind(prior, marginals);
  const paid = { ...options, kind, total, share: (3 * share) / 5 };
  const { mixture } = await measureMixture(session, prior, workload, paid);
  const spread = noise.kind === 'none' ? 0 : noiseKinds[noise.kind].largestOf(count);
  const facts = { asIs, mixture, direct: Math.min(1, (noise.scale * spread) / total) };
  return { total, ...facts, verdict: adviseOnPublic(facts) };
};
