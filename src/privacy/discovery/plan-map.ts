import { type NoiseName, noiseKinds } from '../noise/noise-kinds.js';

/** The noise of counts: its kind and its scale. */
export interface NoiseOf {
  readonly kind: NoiseName;
  readonly scale: number;
}

/**
 * When an entry of a map is safe. Its winner must be ahead of every other cell by what noise brings about, in any entry, once in a thousand maps. With a
 * confidence of 95%, at most a fifth of the rows of its value may lie elsewhere; and what lies elsewhere must either not stand out from noise, by three
 * standard deviations, or be at most a twentieth with that confidence.
 */
const rule = { mistaken: 0.001, confidence: 1.6449, most: 0.2, little: 0.05, standsOut: 3 } as const;

/** Rows that lie elsewhere than a map says, and all rows, by sums of noisy cells. */
export interface OffMap {
  readonly off: number;
  readonly rows: number;
  /** How many noisy cells `off` is the sum of. */
  readonly cells: number;
}

const deviationOf = ({ kind, scale }: NoiseOf): number => noiseKinds[kind].deviation(scale);

/** How far ahead a winner must be, among so many noisy cells: twice the largest that noise is in any of them, but for a small chance. */
export const marginFor = ({ kind, scale }: NoiseOf, cells: number): number =>
  2 * scale * noiseKinds[kind].largestOf(cells / rule.mistaken);

/** At most so many rows lie elsewhere, with confidence. */
const upperOff = (noise: NoiseOf, { off, cells }: Pick<OffMap, 'off' | 'cells'>): number =>
  Math.max(0, off) + rule.confidence * deviationOf(noise) * Math.sqrt(cells);

/** Whether so much elsewhere goes with a map: it does not stand out, or it is little. */
export const isTolerable = (noise: NoiseOf, of: OffMap): boolean =>
  of.off <= rule.standsOut * deviationOf(noise) * Math.sqrt(of.cells) || upperOff(noise, of) <= rule.little * of.rows;

/** Whether the rows of one value are, with confidence, few enough elsewhere. */
export const isMostly = (noise: NoiseOf, of: OffMap): boolean => upperOff(noise, of) <= rule.most * of.rows;

/** About how many rows a value must have for its entry to be kept, where none of them lies elsewhere: from public things alone. */
export const rowsForEntry = (noise: NoiseOf, { parents, children }: { parents: number; children: number }): number => {
  const noisy = rule.confidence * deviationOf(noise);
  const enough = (noisy * Math.sqrt(Math.max(0, children - 1))) / rule.most;
  return Math.ceil(Math.max(marginFor(noise, parents * children), enough) + noisy * Math.sqrt(children));
};
