import { visible } from '../html.js';
import { percent } from '../number-text.js';
import type { BarShare } from './one-way.js';

/** Size in pixels of a plot of bars that stand, and the room beside it for labels. */
export const tall = { plot: 324, height: 128, left: 40, right: 12 };

export const shareAxis = { format: '~%', tickCount: 4 } as const;

export const fill = {
  condition: { test: 'datum.aside', value: 'var(--released-aside)' },
  value: 'var(--released)',
} as const;

/** What a pointer reads on a bar. */
export const barText = ({ label, released, prior, bounds }: BarShare): string => {
  const between = bounds === undefined ? '' : ` (95% bounds ${percent(bounds[0])} to ${percent(bounds[1])})`;
  return visible(
    `${label}: released ${percent(released)}${between}${prior === undefined ? '' : `, public ${percent(prior)}`}`,
  );
};

/** The beginning of a range is enough under a narrow bar. */
export const startOf = (label: string): string => label.replace(/^\[/, '').split(/,| … |–| to |(?<=\d)-(?=\d)/)[0];
