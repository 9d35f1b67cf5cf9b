import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Budget } from '../../privacy/accounting/budget.js';
import { defaultNoise, type NoiseName, noiseKinds } from '../../privacy/noise/noise-kinds.js';
import type { Door } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import type { Block } from '../../query/block/block.js';
import { kindOf } from '../../query/block/block-kinds.js';
import { type Factor, neededFactors } from '../../query/factors.js';
import { marginal, total } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { downwardClosure } from '../../query/workload/downward-closure.js';
import type { Workload } from '../../query/workload/workload.js';
import { bestMarginalParts, type Falls } from './strategy/marginal-weights.js';
import type { Norm } from './strategy/p-identity.js';
import { type Strategy, strategyFor } from './strategy/strategy.js';

/** Which kind of strategies: a product of p-Identities for each query, or marginals of the workload's downward closure. */
export type Template = 'products' | 'marginals';

/** What HDMM would measure in place of a workload. */
export interface HdmmPlan {
  readonly template: Template;
  /** What is measured, with each measurement's part of the budget. */
  readonly queries: readonly Query[];
  readonly parts: readonly number[];
  readonly noise: NoiseName;
  /** Expected squared error of all answers of the workload together, each by its squared weight, in records squared. */
  readonly error: number;
  /** The same, if every query's marginal were measured cell by cell. */
  readonly identityError: number;
}

export type HdmmDoor = Pick<Door, 'domain' | 'preview'> & { readonly budget: Budget };

export interface HdmmPlanOptions {
  readonly noise?: NoiseName | undefined;
  readonly share?: number | undefined;
  /** By default the marginals template where the workload has marginals only. */
  readonly template?: Template | 'auto' | undefined;
}

/** How fast variance falls with a part of the budget. */
const fallsIn = ({ currency }: Budget): Falls => (currency === 'pure' ? 2 : 1);

/**
 * HDMM's strategies for a workload (McKenna, Miklau, Hay, Machanavajjhala 2018): for each query a Kronecker product of the best strategy of
 * each of its blocks, which is the best product, since the error of a product is the product of errors (Theorem 5 there); the budget
 * is divided so that the sum of predicted errors is least. Public: it depends on the domain, the workload and the budget alone.
 */
export const planHdmm = (door: HdmmDoor, workload: Workload, options: HdmmPlanOptions = {}): HdmmPlan => {
  const { noise = defaultNoise[door.budget.currency], template = 'auto' } = options;
  if (!workload.queries.some(({ query }) => attributesOf(query).length > 0))
    throw new InputError('workload: must ask of some attribute for hdmm, got none or the total alone; add a query');
  const onlyMarginals = workload.queries.every(({ query }) => isMarginal(query, door.domain));
  const few = (): boolean => downwardClosure(workload, door.domain).queries.length <= mostSets;
  if (template === 'marginals' && !onlyMarginals)
    throw new InputError(
      'template: marginals is for workloads of marginals, got other queries; use products, which takes any',
    );
  if (template === 'marginals' && !few())
    throw new InputError(
      `template: marginals is for workloads with at most ${mostSets} sets of attributes inside, got more; use products`,
    );
  return template === 'marginals' || (template === 'auto' && onlyMarginals && few())
    ? marginalsPlan(door, workload, noise, options.share ?? 1)
    : productsPlan(door, workload, noise, options.share ?? 1);
};

const isMarginal = (query: Query, domain: Domain): boolean =>
  query.kind !== 'dense' && neededFactors(query, domain).every(({ block }) => block.kind === 'keep');

/** The variance that each query would have with an equal part, and the parts for which the sum of coefficients times variances is least. */
const divided = (
  door: HdmmDoor,
  queries: readonly Query[],
  coefficients: readonly number[],
  noise: NoiseName,
  share: number,
) => {
  const falls = fallsIn(door.budget);
  const variances = door
    .preview(queries, share, { noise })
    .map(({ kind, scale }) => (kind === 'none' ? 0 : noiseKinds[kind].variance(scale)));
  // Minimise sum c_t x_t^-falls with sum x_t = 1: c_t x_t^-(falls + 1) is the same for all t.
  const errors = variances.map((variance, t) => variance * coefficients[t]);
  const roots = errors.map((error) => error ** (1 / (1 + falls)));
  const sum = roots.reduce((all, root) => all + root, 0);
  // What has no noise needs no part, but a weight has to be positive.
  const parts = roots.map((root) => (sum > 0 ? Math.max(root / sum, 1e-9) : 1 / roots.length));
  const equal = 1 / queries.length;
  return { parts, error: errors.reduce((all, error, t) => all + error * (equal / parts[t]) ** falls, 0) };
};

const productsPlan = (door: HdmmDoor, workload: Workload, noise: NoiseName, share: number): HdmmPlan => {
  const norm: Norm = noise === 'laplace' ? 'l1' : 'l2';
  const found = new Map<string, Strategy>();
  const strategyOf = ({ block, size }: Factor): Strategy => {
    const key = `${size}:${kindOf(block).key(block)}`;
    const strategy = found.get(key) ?? strategyFor(block, size, norm);
    found.set(key, strategy);
    return strategy;
  };
  const terms = withTotal(workload, door.domain, strategyOf).map(({ query, weight }) => {
    const factors = neededFactors(query, door.domain);
    const strategies = factors.map(strategyOf);
    return {
      query: strategyQuery(query, factors, strategies),
      cells: marginal(...attributesOf(query)),
      coefficient: weight ** 2 * strategies.reduce((product, { trace }) => product * trace, 1),
      identity: weight ** 2 * factors.reduce((product, factor) => product * cellsError(factor), 1),
    };
  });
  const ours = divided(
    door,
    terms.map(({ query }) => query),
    terms.map(({ coefficient }) => coefficient),
    noise,
    share,
  );
  const cells = divided(
    door,
    terms.map((term) => term.cells),
    terms.map(({ identity }) => identity),
    noise,
    share,
  );
  const known = freeTotal(door, noise, share);
  return {
    template: 'products',
    queries: [...terms.map(({ query }) => query), ...known],
    parts: [...ours.parts, ...known.map(() => 1e-9)],
    noise,
    error: ours.error,
    identityError: cells.error,
  };
};

/** The workload, and the number of records where no strategy would tell it: estimates need one. */
const withTotal = (
  { queries }: Workload,
  domain: Domain,
  strategyOf: (factor: Factor) => Strategy,
): Workload['queries'] => {
  const told = queries.some(({ query }) =>
    neededFactors(query, domain).every((factor) => {
      const { block } = strategyOf(factor);
      return kindOf(block).totalWeights(block, factor.size) !== undefined;
    }),
  );
  return told ? queries : [...queries, { query: total(), weight: 1 }];
};

/** The number of records, where the relation makes it public: it costs nothing, and estimates are better for it. */
const freeTotal = (door: HdmmDoor, noise: NoiseName, share: number): Query[] =>
  door.preview([total()], share, { noise })[0].kind === 'none' ? [total()] : [];

/** Squared error of a block's answers when its cells are measured: the sum of squares of its entries. */
const cellsError = ({ block, size }: Factor): number =>
  kindOf(block)
    .squares(block, size)
    .reduce((sum, square) => sum + square, 0);

/** The product of strategies as a query, in the order of the workload's factors. */
const strategyQuery = (query: Query, factors: readonly Factor[], strategies: readonly Strategy[]): Query => {
  if (strategies.every(({ block }) => block.kind === 'keep')) return marginal(...factors.flatMap((f) => f.attributes));
  if (query.kind === 'dense') {
    const { block } = strategies[0];
    return block.kind === 'matrix' ? { kind: 'dense', attributes: query.attributes, rows: block.rows } : query;
  }
  const blocks: { attribute: string; block: Block }[] = factors.map(({ attributes: [attribute] }, i) => ({
    attribute,
    block: strategies[i].block,
  }));
  return { kind: 'factored', factors: blocks };
};

/** Sets of attributes among which the marginals template divides the budget. */
const mostSets = 3000;
/** A marginal whose part is below this of the largest is not measured: it would hardly be heard. */
const leastPart = 1e-4;

const marginalsPlan = (door: HdmmDoor, workload: Workload, noise: NoiseName, share: number): HdmmPlan => {
  const { domain } = door;
  const falls = fallsIn(door.budget);
  const closure = downwardClosure(workload, domain).queries.map(({ query }) => attributesOf(query));
  const keyOf = (attributes: readonly string[]): string => JSON.stringify([...attributes].sort());
  const weights = new Map<string, number>();
  for (const { query, weight } of workload.queries) {
    const key = keyOf(attributesOf(query));
    weights.set(key, (weights.get(key) ?? 0) + weight ** 2);
  }
  const known = freeTotal(door, noise, share);
  const sets = (known.length > 0 ? closure : [[], ...closure]).map((attributes) => ({
    attributes,
    weight: weights.get(keyOf(attributes)) ?? 0,
  }));
  const { parts, error } = bestMarginalParts(sets, domain, falls);
  const most = parts.reduce((all, part) => Math.max(all, part), 0);
  // The workload's own marginals stay, so that every answer follows from what is measured.
  const kept = sets.flatMap((set, index) => (parts[index] > leastPart * most || set.weight > 0 ? [index] : []));
  const queries = [...kept.map((index) => marginal(...sets[index].attributes)), ...known];
  const unit = door
    .preview([marginal(...sets[kept[kept.length - 1]].attributes)], share, { noise })
    .map(({ kind, scale }) => (kind === 'none' ? 0 : noiseKinds[kind].variance(scale)))[0];
  const own = workload.queries.map(({ query }) => marginal(...attributesOf(query)));
  const coefficients = workload.queries.map(({ query, weight }) => {
    const cells = neededFactors(query, domain).reduce((product, { size }) => product * size, 1);
    return weight ** 2 * cells;
  });
  return {
    template: 'marginals',
    queries,
    parts: [...kept.map((index) => Math.max(parts[index], leastPart * most)), ...known.map(() => 1e-9)],
    noise,
    error: unit * error,
    identityError: divided(door, own, coefficients, noise, share).error,
  };
};
