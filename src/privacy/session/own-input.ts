import { InputError } from '../../domain/input-error.js';
import type { Counted } from '../../query/holding.js';
import type { Marginal } from '../../query/marginal.js';
import type { MixtureRows } from '../../query/mixture.js';
import type { Query } from '../../query/query.js';
import { noiseNames } from '../noise/noise-kinds.js';
import { type SelectionMechanism, selectionNames } from '../selection/selection-kinds.js';
import { ownCopy } from './own-copy.js';
import type { Candidate, Dependence, Drawn, GroupKey, MeasureOptions } from './session.js';

/*
 * What callers hand to a door, as the door's own: plans, charges and answers are all made from the same copy, so that what is
 * planned is what is answered (docs/privacy.md).
 */

/** A query, its members present and of their types; whether it fits the domain is for `factorsOf` to say. */
const ownQuery = (query: Query): Query => {
  const own = ownCopy(query, 'query');
  const kind: unknown = own?.kind;
  if ((kind === 'marginal' || kind === 'holding') && isNames((own as Counted).attributes)) return own;
  if (own?.kind === 'dense' && isNames(own.attributes) && Array.isArray(own.rows)) return own;
  if (
    own?.kind === 'factored' &&
    Array.isArray(own.factors) &&
    own.factors.every((factor) => typeof factor?.attribute === 'string' && typeof factor.block === 'object')
  )
    return own;
  throw new InputError(
    'query: must be a marginal, holding, factored or dense query, got something else; see docs/queries.md',
  );
};

const isNames = (names: unknown): boolean => Array.isArray(names) && names.every((name) => typeof name === 'string');

export const ownQueries = (queries: readonly Query[]): readonly Query[] => Array.from(queries, ownQuery);

export const ownMarginals = (marginals: readonly Marginal[]): readonly Marginal[] =>
  Array.from(marginals, (given) => {
    const query = ownQuery(given);
    if (query.kind !== 'marginal') throw new InputError('marginals: must be marginals, got another query');
    return query;
  });

export const ownMeasureOptions = ({ noise, weights }: MeasureOptions): MeasureOptions => {
  if (noise !== undefined && !noiseNames.includes(noise))
    throw new InputError(`noise: must be ${noiseNames.join(' or ')}, got ${JSON.stringify(noise)}`);
  return { noise, weights: weights === undefined ? undefined : ownCopy(Array.from(weights), 'weights') };
};

export const ownMechanism = (mechanism: SelectionMechanism): SelectionMechanism => {
  if (!selectionNames.includes(mechanism))
    throw new InputError(`mechanism: must be ${selectionNames.join(' or ')}, got ${JSON.stringify(mechanism)}`);
  return mechanism;
};

/** A candidate whose references are an array of doubles: read once and completely before anything is paid for. */
export interface OwnCandidate extends Candidate {
  readonly reference: Float64Array;
  readonly rival?: Float64Array | undefined;
}

/**
 * Candidates with their queries copied. References are many, and are put on their grid before the first wait, so an array of
 * doubles is not copied; a view without properties of its own stands for it, so that its length is what it is.
 */
export const ownCandidates = (candidates: readonly Candidate[]): readonly OwnCandidate[] =>
  Array.from(candidates, ({ query, reference, rival, cells, scale, weight, offset }) => ({
    query: ownQuery(query),
    reference: doubles(reference),
    rival: rival === undefined ? undefined : doubles(rival),
    cells,
    scale: asNumber(scale),
    weight: asNumber(weight),
    offset: asNumber(offset),
  }));

/** What draws are made from, of which the same holds. */
export type OwnDrawn = Drawn & { readonly reference: Float64Array };

export const ownDrawn = (candidates: readonly Drawn[]): readonly OwnDrawn[] =>
  Array.from(candidates, ({ query, reference, scale }) => ({
    query: ownQuery(query),
    reference: doubles(reference),
    scale: asNumber(scale),
  }));

const asNumber = (value: number | undefined): number | undefined => (value === undefined ? undefined : Number(value));

const doubles = (reference: ArrayLike<number>): Float64Array =>
  ArrayBuffer.isView(reference) && reference instanceof Float64Array
    ? new Float64Array(reference.buffer, reference.byteOffset, reference.length)
    : Float64Array.from(reference);

/** Pairs of lists of attributes; whether the domain has them is for whoever counts them to say. */
export const ownDependences = (candidates: readonly Dependence[]): readonly Dependence[] =>
  Array.from(candidates, (candidate) => {
    const own = ownCopy(candidate, 'candidates');
    if (!(isNames(own?.of) && isNames(own?.on)))
      throw new InputError('candidates: must name attributes as `of` and `on`, got something else');
    const names = [...own.of, ...own.on];
    if (own.of.length === 0 || new Set(names).size < names.length)
      throw new InputError(
        `candidates: \`of\` must name an attribute, and none may be named twice, got ${own.of.join(' x ') || 'none'} on ${own.on.join(' x ') || 'none'}`,
      );
    return own;
  });

/** Public rows and their domain. Their codes are read before the first wait. */
export const ownRows = ({ domain, length, columns }: MixtureRows): MixtureRows => ({
  domain: ownCopy(domain, 'rows'),
  length,
  columns: [...columns],
});

export const ownKeys = (by: readonly GroupKey[]): readonly GroupKey[] => ownCopy(Array.from(by), 'partition');
