import { amongText } from '../../bundle/among.js';
import type { Manifest } from '../../bundle/manifest.js';
import { durationText } from '../../domain/duration-text.js';
import { type Html, html } from '../html.js';
import { paragraph, type Section } from '../layout.js';
import { count, plural, powerText, roundedUp } from '../number-text.js';
import { chanceText, guaranteeOf } from './privacy-words.js';

export interface SummaryFacts {
  readonly manifest: Manifest;
  /** Estimated number of records. */
  readonly total: number;
  /** Estimated number of households, whose persons the records are; absent for a plain table. */
  readonly households?: number | undefined;
  /** What the mechanism does, one line without a full stop; absent when nobody knows. */
  readonly mechanism?: string | undefined;
  readonly replicates: number;
}

/** The numbers to know first. */
export const keyFigures = ({ manifest, total, households }: SummaryFacts): Html => {
  const { privacy, measurements, sampling, schema } = manifest;
  const { epsilon, delta } = guaranteeOf(privacy);
  const figures: readonly (readonly [string, string])[] = [
    ['epsilon (ε)', roundedUp(epsilon, 3)],
    ['delta (δ)', delta === undefined ? '0' : powerText(delta)],
    [`${households === undefined ? 'records' : 'persons'}, as estimated`, count(total)],
    ...(households === undefined ? [] : [['households, as estimated', count(households)] as const]),
    ['attributes', count(schema.attributes.length)],
    ['noisy measurements', count(measurements.length)],
    ...(sampling === undefined
      ? []
      : [[sampling.households === undefined ? 'synthetic rows' : 'synthetic persons', count(sampling.rows)] as const]),
  ];
  return html`<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
};

/** The synthetic tables, in words. */
const tablesText = ({ file, rows, households }: NonNullable<Manifest['sampling']>): string =>
  households === undefined
    ? `${plural(rows, 'synthetic row')} (${file})`
    : `${plural(rows, 'synthetic person')} (${file}) in ${plural(households.rows, 'synthetic household')} (${households.file}), whose keys agree`;

/** What was given up to stay within limits, in a sentence. */
const limitsText = (limits: NonNullable<Manifest['configuration']>['limits']): string | undefined => {
  if (limits === undefined || limits.gaveUp.length === 0) return undefined;
  const { seconds, bytes, gaveUp } = limits;
  const within = [
    ...(seconds === undefined ? [] : [durationText(seconds)]),
    ...(bytes === undefined ? [] : [`${count(Math.round(bytes / 1e6))} MB`]),
  ].join(' and ');
  return `To stay within ${within} by forecast it was made with less: ${gaveUp.join('; ')}.`;
};

/** What was released, and what it is good for. */
export const summarySection = ({ manifest, total, households, mechanism, replicates }: SummaryFacts): Section => {
  const { sampling, measurements, schema, public: prior, privacy } = manifest;
  const { delta } = guaranteeOf(privacy);
  const parts = [
    ...(sampling === undefined ? [] : [tablesText(sampling)]),
    'a model that answers any question about these attributes',
    `${plural(measurements.length, 'noisy measurement')}`,
  ];
  const listed = `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
  const by = mechanism === undefined ? '' : `: it ${mechanism}`;
  const start =
    prior === undefined
      ? 'No public table was used.'
      : `It starts from the public ${prior.among?.way === 'together' ? 'tables' : 'table'} ${prior.file} (${plural(prior.rows, 'row')}), so where the private table was not measured, or the noise drowned what was, the release says what the public table says.`;
  return {
    id: 'release',
    title: 'What was released',
    body: html`<div class="prose">${paragraph(
      `This release describes about ${households === undefined ? `${plural(total, 'record')} of a private table` : `${plural(total, 'person')} in ${plural(households, 'household')}, of private tables,`} in ${plural(schema.attributes.length, 'attribute')}. It consists of ${listed}. No row of it is the record of a person: rows are drawn from the model, and the model knows the private table only through measurements to which random noise was added, and, for some mechanisms, through noisy choices.`,
    )}${paragraph(`The mechanism was ${manifest.mechanism.name}${by}.`, start, prior?.among && amongText(prior.among, prior.file), limitsText(manifest.configuration?.limits))}${paragraph(
      'It is meant for everybody who wants to know how the attributes are distributed and how they go together, in the table as a whole and in its larger parts. It is not meant for questions about single persons or very small groups: there, noise is larger than what is asked for, and that is the purpose.',
    )}${paragraph(
      'This report is made from the release itself and from public data. Nothing in it was read off the private table.',
      delta === undefined ? undefined : `A delta of ${powerText(delta)} is a chance of ${chanceText(delta)}.`,
      replicates === 0
        ? undefined
        : `The release comes with ${plural(replicates, 'replicate')}: models fitted anew to noisy answers of the model, which show how far noise may have moved it.`,
    )}</div>`,
  };
};
