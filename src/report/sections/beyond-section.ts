import type { BeyondEnd } from '../../evaluate/beyond-ends.js';
import { html, named } from '../html.js';
import { paragraph, type Section, table } from '../layout.js';
import { percent } from '../number-text.js';

/** A share beyond an end from which on the range of a schema is too narrow for the table. */
const many = 0.05;

/** What lies beyond the ends that the schema declares, where these are open; `prior` has the public share of an end. */
export const beyondSection = (ends: readonly BeyondEnd[], prior: (end: BeyondEnd) => number | undefined): Section => {
  const crowded = ends.filter(({ share, bounds }) => (bounds?.[0] ?? share) >= many);
  const sorted = [...ends].sort((a, b) => b.share - a.share);
  const priors = ends.map(prior);
  const hasPrior = priors.some((share) => share !== undefined);
  return {
    id: 'beyond',
    title: 'Beyond the schema',
    body: html`${paragraph(
      'The schema of this release was made without looking at the private table, so values may lie beyond the ranges that it declares. They were counted in cells of their own and not among the last ones that it names. How many there are was measured like everything else: the shares are noisy.',
    )}${
      crowded.length === 0
        ? undefined
        : html`<p><strong>Much lies beyond the schema</strong> in ${crowded.map(({ attribute, label }) => `${attribute} (${label})`).join(', ')}: there nothing is known of how the values go on. Synthetic values there reach only as far as the cell beside them is wide. A later release with a wider range would tell them apart.</p>`
    }${table(
      [
        { title: 'attribute' },
        { title: 'beyond' },
        { title: 'released', number: true },
        { title: '95% bounds', number: true },
        ...(hasPrior ? [{ title: 'public', number: true }] : []),
      ],
      sorted.map((end) => [
        named(end.attribute, 28),
        named(end.label, 36),
        percent(end.share),
        end.bounds === undefined ? '' : `${percent(end.bounds[0])} to ${percent(end.bounds[1])}`,
        ...(hasPrior ? [percent(prior(end) ?? 0)] : []),
      ]),
    )}`,
  };
};
