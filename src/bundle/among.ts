import * as v from 'valibot';
import { noiseShape } from '../privacy/noise/noise-shape.js';
import { whole } from './shapes.js';

const number = v.pipe(v.number(), v.finite());
const named = { file: v.string(), rows: whole };

/** How a release came to start from what it starts from, where several public tables were given. */
export const amongShape = v.variant('way', [
  v.strictObject({
    way: v.literal('together'),
    /** Weights have sum 1. */
    tables: v.array(v.strictObject({ ...named, weight: number })),
  }),
  v.strictObject({
    way: v.literal('stand-in'),
    /** A public table that played the private one. */
    standIn: v.strictObject(named),
    runs: whole,
    tables: v.array(
      v.strictObject({
        ...named,
        mechanism: v.string(),
        /** Mean total variation distance over pairs of attributes, and the largest error of a cell, on the stand-in: means of the runs. */
        error: v.exactOptional(number),
        largest: v.exactOptional(number),
        /** Why the mechanism could not run with this table, where it could not. */
        why: v.exactOptional(v.string()),
      }),
    ),
  }),
  v.strictObject({
    way: v.literal('paid'),
    /** The part of the budget that choosing could spend. */
    share: number,
    /** Whether errors are best mixture errors, or those of weightings found in rounds, which are no smaller. */
    kind: v.picklist(['exact', 'upper bound']),
    tables: v.array(
      v.strictObject({
        ...named,
        /** Noisy, in proportion of the noisy number of records. */
        error: number,
        /** With 95% confidence the noise is within this. */
        margin: number,
        /** In records: what the charge bought. */
        noise: noiseShape,
      }),
    ),
  }),
]);

export type Among = v.InferOutput<typeof amongShape>;

/** What was paid for to choose: noisy errors beside the measurements, each with a charge of its own. */
export const paidErrors = (among: Among | undefined) =>
  among?.way === 'paid' ? among.tables.map(({ file, noise }) => ({ file, noise, kind: among.kind })) : [];

const percent = (value: number): string => `${(100 * Math.max(0, value)).toPrecision(3)}%`;

const texts: { readonly [Way in Among['way']]: (among: Among & { way: Way }, chosen: string) => string } = {
  together: ({ tables }) =>
    `All ${tables.length} public tables serve together: ${tables.map(({ file, weight }) => `${file} with ${percent(weight)} of the weight`).join(', ')}.`,
  'stand-in': ({ standIn, runs, tables }, chosen) =>
    `Of ${tables.length} public tables ${chosen} served best in the place of the release, with the public table ${standIn.file} in the private one's: over pairs of attributes, on average of ${runs} runs, ${tables.map(({ file, mechanism, error, why }) => (error === undefined ? `${file} could not serve (${why})` : `${mechanism} with ${file} is off by ${percent(error)}`)).join(', ')}.`,
  paid: ({ share, kind, tables }, chosen) =>
    `Of ${tables.length} public tables ${chosen} was chosen, for ${percent(share)} of the budget, by ${kind === 'exact' ? 'the least largest error that any weighting of its rows has' : 'the largest error of a weighting of its rows'}: ${tables.map(({ file, error, margin }) => `${file} ${percent(error)} (give or take ${percent(margin)})`).join(', ')}.`,
};

/** In a sentence, how several public tables came to one; `chosen` is the name of what the release starts from. */
export const amongText = (among: Among, chosen: string): string =>
  (texts[among.way] as (among: Among, chosen: string) => string)(among, chosen);
