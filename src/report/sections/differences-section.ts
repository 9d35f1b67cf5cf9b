import { html, named } from '../html.js';
import { paragraph, type Section, table } from '../layout.js';
import { percent, points } from '../number-text.js';
import type { OneWay } from '../plots/one-way.js';
import { notableDifferences, type Verdict } from './differences.js';

const most = 15;

const words: Readonly<Record<Verdict, string>> = {
  beyond: 'no: it is there in the private table',
  perhaps: 'hardly, but among so many it may be chance',
  explained: 'yes',
  unknown: 'no bound is known',
};

/** Where the release and the public table differ most. */
export const differencesSection = (ways: readonly OneWay[]): Section => {
  const differences = notableDifferences(ways, most);
  const rows = differences.map(({ attribute, bar, difference, verdict }) => [
    named(attribute, 28),
    named(bar.label, 36),
    percent(bar.prior ?? 0),
    percent(bar.released),
    points(difference),
    bar.bounds === undefined ? '' : `${percent(bar.bounds[0])} to ${percent(bar.bounds[1])}`,
    words[verdict],
  ]);
  return {
    id: 'differences',
    title: 'Where it differs from the public table',
    body: html`${paragraph(
      'The largest differences between released and public shares, and whether the noise of the release alone could have made them. Where it could not, the private table does differ from the public one.',
    )}${table(
      [
        { title: 'attribute' },
        { title: 'value' },
        { title: 'public', number: true },
        { title: 'released', number: true },
        { title: 'points', number: true },
        { title: '95% bounds', number: true },
        { title: 'can noise explain it?' },
      ],
      rows,
    )}`,
  };
};
