import type { Attribute } from '../domain/attribute/attribute.js';
import { cellLabels, openCells } from '../domain/attribute/cells.js';
import { kindOf } from '../domain/attribute/kinds/kinds.js';
import { cellsOf, type Domain } from '../domain/domain.js';
import { limits } from '../domain/limits.js';
import { atOnce, eachInTurn, type Turns } from '../domain/turns.js';
import type { Noise } from '../privacy/measurement.js';
import { noiseKinds } from '../privacy/noise/noise-kinds.js';
import type { Query } from '../query/query.js';
import { type BoundsSource, boundsOf } from './bounds.js';

/** What a release says of one open end. */
export interface BeyondEnd {
  readonly attribute: string;
  /** The open end as its cell is called, such as "2019 or later". */
  readonly label: string;
  /** Share of the records that the release has there. */
  readonly share: number;
  /** 95% bounds of the private share; absent where none are known. */
  readonly bounds?: readonly [low: number, high: number] | undefined;
}

/** The open ends of an attribute; none where it has too many cells to name. */
const endsOf = (attribute: Attribute): { readonly cell: number; readonly label: string }[] => {
  const { spec, size } = attribute;
  const cells = size > limits.labels ? [] : openCells(spec);
  if (cells.length === 0) return [];
  const labels = cellLabels(attribute);
  return cells.map((cell) => ({ cell, label: labels[cell] }));
};

/**
 * How many records lie beyond the ends that the schema declares, for every attribute with open ends. It is read off the model and the noisy
 * measurements, as everything else in a release: paid for, never exact.
 */
export const beyondEnds = (source: BoundsSource): BeyondEnd[] => atOnce(lookingBeyond(source));

/** The same in turns. */
export function* lookingBeyond(source: BoundsSource): Turns<BeyondEnd[]> {
  const { covers = () => true, domain } = source.model;
  const covered = domain.attributes.filter(({ name }) => covers([name]));
  return (yield* eachInTurn(covered, (attribute) => beyondOf(source, attribute))).flat();
}

const beyondOf = (source: BoundsSource, attribute: Attribute): BeyondEnd[] => {
  const { name, size } = attribute;
  const ends = endsOf(attribute);
  if (ends.length === 0) return [];
  const groups = new Array<number>(size).fill(ends.length);
  ends.forEach(({ cell }, group) => {
    groups[cell] = group;
  });
  const query: Query = {
    kind: 'factored',
    factors: [{ attribute: name, block: { kind: 'regroup', groups, size: ends.length + 1 } }],
  };
  const { values, low, high } = boundsOf(source, query);
  const clipped = (count: number): number => Math.max(0, count);
  const sumOf = (counts: ArrayLike<number>): number => Array.from(counts, clipped).reduce((sum, one) => sum + one, 0);
  const shareOf = (records: number, others: number): number =>
    clipped(records) + others > 0 ? clipped(records) / (clipped(records) + others) : 0;
  // The number of records is not known either: a share is least where the others are most.
  const share = (group: number, own: ArrayLike<number>, rest: ArrayLike<number>): number =>
    shareOf(own[group], sumOf(rest) - clipped(rest[group]));
  const isKnown = [...low, ...high].every(Number.isFinite);
  return ends.map(({ label }, group) => ({
    attribute: name,
    label,
    share: share(group, values, values),
    ...(isKnown ? { bounds: [share(group, low, high), share(group, high, low)] as const } : {}),
  }));
};

/** A measurement that is planned. */
interface Planned {
  readonly query?: Query | undefined;
  readonly noise?: Noise | undefined;
}

/** An open end, and how precisely a planned release will tell how many records lie there. */
export interface PlannedEnd {
  readonly attribute: string;
  readonly label: string;
  /** Half the width of the 95% bound that the planned marginals alone will give, in records; absent where none holds the attribute. */
  readonly error?: number | undefined;
}

/** The open ends of a domain, with what planned measurements will tell of them. */
export const plannedEnds = (domain: Domain, planned: readonly Planned[]): PlannedEnd[] =>
  domain.attributes.flatMap((attribute) => {
    const error = errorOf(domain, attribute, planned);
    return endsOf(attribute).map(({ label }) => ({ attribute: attribute.name, label, error }));
  });

/** By inverse variance over the marginals that hold the attribute, each summed over the others: as `noiseBounds` has it. */
const errorOf = (domain: Domain, { name, size }: Attribute, planned: readonly Planned[]): number | undefined => {
  let [precision, reach] = [0, 0];
  for (const { query, noise } of planned) {
    if (query?.kind !== 'marginal' || noise === undefined || !query.attributes.includes(name)) continue;
    if (noise.kind === 'none') return 0;
    const law = noiseKinds[noise.kind];
    precision += size / (cellsOf(domain, query.attributes) * law.deviation(noise.scale) ** 2);
    reach = Math.max(reach, law.reach);
  }
  return precision > 0 ? reach / Math.sqrt(precision) + 0.5 : undefined;
};

/** Attributes with ends that are not open, of numbers and dates: what lies beyond is counted in their outermost cells, unseen. */
export const closedEnds = ({ attributes }: Domain): string[] =>
  attributes
    .filter(({ spec }) => kindOf(spec).close !== undefined && openCells(spec).length === 0)
    .map(({ name }) => name);
