import { plural } from '../domain/plural.js';
import type { Answering } from '../model/model.js';
import type { Replicates } from '../model/replicates.js';
import type { Measurement } from '../privacy/measurement.js';
import { coverageFound, type TrialsFound } from './coverage-found.js';
import { drownsRelease } from './drowning.js';

/** What is known of a release's bounds: how it was made. */
interface BoundedRelease {
  /** The name of the mechanism. */
  readonly mechanism: string;
  /** Whether it started from a public table. */
  readonly fromPublic: boolean;
  /** Number of replicates. */
  readonly replicates: number;
  /** Whether another estimator made the model from the mechanism's measurements. */
  readonly refitted?: boolean | undefined;
  /** Whether the noise drowns most of what was measured. */
  readonly drowned?: boolean | undefined;
}

const percent = (share: number): string => `${Math.floor(100 * share)}%`;

/** One number where two are the same in words. */
const both = ({ all, large }: TrialsFound['measured']): string =>
  `${percent(all)} (${percent(large)} of those with a hundredth of the records or more)`;

const foundOf = ({ mechanism, fromPublic, drowned = false }: BoundedRelease): TrialsFound | undefined =>
  (coverageFound[fromPublic ? `${mechanism} with a prior` : mechanism] ?? coverageFound[mechanism])?.[
    drowned ? 'drowned' : 'clear'
  ];

/** What is said first where little was learned of the table. */
const drownedText =
  'The noise drowns most of what was measured here: it would put more than half of the records into wrong cells, and answers say little of the table.';

/**
 * How often the 95% bounds of such a release hold, as far as trials on tables whose truth is known have shown: a sentence or two for reports and
 * answers. The trials are `npm run experiment -- bootstrap-coverage`; see docs/results.md.
 */
export const boundsWords = (release: BoundedRelease): string => {
  const { drowned = false } = release;
  return drowned ? `${drownedText} ${heldWords(release)}` : heldWords(release);
};

const heldWords = (release: BoundedRelease): string => {
  const { mechanism, replicates, refitted = false, drowned = false } = release;
  if (replicates === 0)
    return 'Only answers that measurements determine have bounds, from the noise alone: these hold in 95 of 100 releases. There are no replicates, so other answers have none.';
  const found = refitted ? undefined : foundOf(release);
  if (found === undefined)
    return `How often bounds from replicates hold was not tried for ${refitted ? 'models that another estimator made' : `${mechanism}${drowned ? ' where it does' : ''}`}: take them for what noise does, and not for more.`;
  const { trials, tables, epsilon, measured, unmeasured, derived, least } = found;
  const seen = [
    measured.all > 0 ? `${both(measured)} of counts that were measured` : undefined,
    unmeasured.all > 0 ? `${both(unmeasured)} of counts that were not` : undefined,
    derived.all > 0 ? `${both(derived)} of shares and averages` : undefined,
  ].filter((text) => text !== undefined);
  return `In ${plural(trials, 'trial')} ${drowned ? 'of such releases ' : ''}on ${plural(tables, 'table')} whose truth is known, at epsilon ${epsilon[0] === epsilon[1] ? epsilon[0] : epsilon.join(' to ')}, the 95% bounds of ${mechanism}${fromPriorText(release)} held for ${seen.join(', for ')}; of counts on the worst table and budget for ${percent(least.all)} (${percent(least.large)}).`;
};

/** What is read of an opened release. */
interface OpenedRelease {
  readonly manifest: {
    readonly mechanism: { readonly name: string };
    readonly public?: object | undefined;
    readonly refit?: { readonly estimator?: string | undefined } | undefined;
  };
  readonly model: Pick<Answering, 'domain' | 'total'>;
  readonly measurements: readonly Measurement[];
  readonly replicates?: Pick<Replicates, 'models'> | undefined;
}

/** The same of a release as its bundle has it. */
export const releaseBoundsWords = ({
  manifest: { mechanism, public: prior, refit },
  model: { domain, total },
  measurements,
  replicates,
}: OpenedRelease): string =>
  boundsWords({
    mechanism: mechanism.name,
    fromPublic: prior !== undefined,
    replicates: replicates?.models.length ?? 0,
    refitted: refit?.estimator !== undefined,
    drowned: drownsRelease(measurements, domain, total),
  });

const fromPriorText = ({ mechanism, fromPublic }: BoundedRelease): string =>
  fromPublic && coverageFound[`${mechanism} with a prior`] !== undefined ? ' with a public table' : '';
