import type { AskedDate, AskedNumeric } from '../../domain/discover/draft.js';
import { formOf, forms } from '../../domain/discover/forms.js';
import { ladderOf, placeReader } from '../../domain/discover/ladder.js';
import { domainOf } from '../../domain/domain-of.js';
import { InputError } from '../../domain/input-error.js';
import { marginal } from '../../query/marginal.js';
import type { Relation } from '../../query/relation.js';
import { sensitivity } from '../../query/sensitivity/sensitivity.js';
import type { Unit } from '../../query/unit.js';
import type { RawSource } from '../../source/raw-source.js';
import { type Amount, amountShare } from '../accounting/amount.js';
import type { Charge } from '../accounting/charge.js';
import { decimal } from '../accounting/decimal.js';
import {
  defaultNoise,
  type NoiseCharge,
  type NoiseName,
  noiseChargeFor,
  noiseIn,
  noiseKinds,
} from '../noise/noise-kinds.js';
import { type Rational, rational, rationalNumber } from '../rational.js';
import { selectionKinds } from '../selection/selection-kinds.js';
import type { DoorParts } from '../session/door-parts.js';
import { ownCopy } from '../session/own-copy.js';
import { divide } from '../session/share.js';
import { chooseEdges } from './choose-edges.js';
import type { DiscoveryDoor } from './discovery-door.js';
import { type EdgesPlan, planEdges } from './plan-edges.js';
import { edgesFrom, passedFrom, passedNumbers } from './replies.js';
import { leastReach } from './threshold.js';

/** What stands behind the door of a discovery. */
export interface DiscoveryParts extends Pick<DoorParts, 'relation' | 'unit' | 'account' | 'primitives' | 'running'> {
  readonly raw: RawSource;
  /** The part of delta that thresholds may take, a decimal. */
  readonly thresholds: string | undefined;
}

/** The cells that every column's forms are counted in: public, so that counting them is a marginal like any other. */
const formDomain = domainOf([{ name: 'form', type: 'category', values: [...forms] }]);

/** What neighbours can differ by in the number of rows, or in numbers of rows by their form, in the norm of the noise. */
export const countsSensitivity = (cells: 'rows' | 'forms', kind: NoiseName, relation: Relation, unit: Unit): bigint => {
  const query = cells === 'rows' ? marginal() : marginal('form');
  return noiseKinds[kind].sensitivityIn(sensitivity(query, formDomain, relation, unit));
};

/** The chance that noise lifts a value of one unit over the threshold, where a unit can bring so many values. */
const chanceOfOne = (delta: Rational, values: number): Rational =>
  rational(delta.numerator, delta.denominator * BigInt(values));

/** The noisy count that a value must have: a unit brings each of its values once, so one that no other has counts 1. */
export const thresholdFor = (sigmaSquared: Rational, delta: Rational, values: number): number =>
  1 + leastReach(sigmaSquared, chanceOfOne(delta, values));

/** The squared L2 sensitivity of counts of units by value: a unit counts once for each of its values, and may bring as many as it takes. */
export const valuesSensitivity = (relation: Relation, values: number): Rational =>
  rational(relation === 'replace-one' ? 2 * values : values);

/** How many places are at or below a value: the part of the ladder that it falls into. */
const placesUpTo = (ladder: Float64Array, value: number): number => {
  let [low, high] = [0, ladder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ladder[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** A charge of one level of choices: its parts share no row. */
export const levelCharge = (epsilon: Rational, level: number): Charge => ({
  kind: 'parallel',
  groups: Array.from({ length: 2 ** level }, () => [{ kind: 'exponential', epsilon }]),
});

/** The acts of a discovery: plan, pay, read, add noise or choose. */
export const discovering = ({
  relation,
  unit,
  account,
  primitives,
  raw,
  running,
  thresholds,
}: DiscoveryParts): DiscoveryDoor => {
  const k = unit.maxRecords;

  const known = (column: string): string => {
    if (!raw.columns.includes(column))
      throw new InputError(`column ${JSON.stringify(column)}: must be in the table that is asked, got one that is not`);
    return column;
  };

  /** Noise on counts of rows in public cells; none where neighbours cannot differ in them. */
  const countsCharge = (amount: Amount, cells: 'rows' | 'forms'): NoiseCharge | undefined => {
    const kind = defaultNoise[account.currency];
    const size = countsSensitivity(cells, kind, relation, unit);
    return size === 0n ? undefined : noiseChargeFor(kind, amount, rational(size), account.currency);
  };
  const deviationOf = (charge: NoiseCharge | undefined): number => {
    if (charge === undefined) return 0;
    const kind = noiseKinds[charge.kind];
    return kind.deviation(kind.scaleOf(noiseIn(charge).parameter));
  };
  const noisy = (counts: Float64Array, charge: NoiseCharge | undefined): Float64Array =>
    charge === undefined ? counts : primitives.addNoise(charge.kind, counts, noiseIn(charge).parameter);

  const edgesPlan = (
    places: number,
    share: number,
    { rows, bins }: { readonly rows: number; readonly bins: number },
  ): EdgesPlan & { readonly epsilon: Rational } => {
    const amount = account.amount(share);
    // Two choices for the outermost edges, and one a level.
    const epsilonOf = (levels: number): Rational =>
      selectionKinds.exponential.epsilonFor(amountShare(amount, 1n, BigInt(2 + levels)), account.currency);
    const plan = planEdges({
      rows,
      places,
      bins,
      maxRecords: k,
      epsilonOf: (levels) => rationalNumber(epsilonOf(levels)),
    });
    return { ...plan, epsilon: epsilonOf(plan.levels) };
  };

  const ladderCounts = async (spec: AskedNumeric | AskedDate, ladder: Float64Array): Promise<Float64Array> => {
    const read = placeReader(spec);
    const counts = new Float64Array(ladder.length + 1);
    await raw.values(
      spec.name,
      (text, rows) => {
        const at = read(text);
        if (at !== undefined) counts[placesUpTo(ladder, at)] += rows;
      },
      running,
    );
    return counts;
  };

  return {
    relation,
    unit,
    async total(share) {
      const charge = countsCharge(account.amount(share), 'rows');
      const [counts] = await account.pay(
        'measure the number of rows',
        charge === undefined ? [] : [charge],
        async (drawing) => {
          const rows = await raw.rows();
          await drawing();
          return [noisy(Float64Array.of(rows), charge)];
        },
      );
      return { counts, deviation: deviationOf(charge) };
    },
    async forms(given, share) {
      const columns = given.map(known);
      const amounts = divide(
        account.amount(share),
        columns.map(() => 1),
      );
      const charges = amounts.map((amount) => countsCharge(amount, 'forms')!);
      const found = await account.pay(`measure what ${columns.length} columns look like`, charges, async (drawing) => {
        const answers: Float64Array[] = [];
        for (const column of columns) {
          const counts = new Float64Array(forms.length);
          await raw.values(
            column,
            (text, rows) => {
              counts[formOf(text)] += rows;
            },
            running,
          );
          answers.push(counts);
        }
        await drawing();
        return answers.map((counts, i) => noisy(counts, charges[i]));
      });
      return found.map((counts, i) => ({ counts, deviation: deviationOf(charges[i]) }));
    },
    async values(given, share, options) {
      const column = known(given);
      if (thresholds === undefined)
        throw new InputError(
          'budget: its delta must have a part for thresholds to ask for values, got none; give a delta, or list the values in the schema',
        );
      const granted = decimal(thresholds, 'thresholds');
      const delta = rational(granted.numerator, granted.denominator * 2n * BigInt(options.parts));
      const charge = noiseChargeFor(
        'gaussian',
        account.amount(share),
        valuesSensitivity(relation, k),
        account.currency,
      );
      const { parameter } = noiseIn(charge);
      const threshold = thresholdFor(parameter, delta, k);
      const what = `ask for the values of ${JSON.stringify(column)}`;
      const found = await account.pay(what, [charge, { kind: 'threshold', delta }], async (drawing) => {
        await drawing();
        const passer = primitives.passer(parameter, threshold);
        await raw.values(column, (text, _rows, units) => passer.offer(text, units), running);
        return passedNumbers(passer.finish());
      });
      return passedFrom(found);
    },
    async edges(given, share, options) {
      const spec = ownCopy(given, 'column');
      known(spec.name);
      const ladder = ladderOf(spec);
      const { levels, beyond, certain, epsilon } = edgesPlan(ladder.length, share, options);
      const charges: Charge[] = [
        { kind: 'exponential', epsilon },
        { kind: 'exponential', epsilon },
        ...Array.from({ length: levels }, (_, level) => levelCharge(epsilon, level)),
      ];
      const what = `ask for the edges of ${JSON.stringify(spec.name)}`;
      const found = await account.pay(what, charges, async (drawing) => {
        const counts = await ladderCounts(spec, ladder);
        await drawing();
        const replaces = relation === 'replace-one';
        const choose = (scores: Float64Array, size: number): number =>
          primitives.choose('exponential', { single: scores, unscored: [], numberAt: (at) => at }, size, epsilon);
        const edges = chooseEdges({ counts, maxRecords: k, replaces }, { levels, beyond }, choose);
        return [Float64Array.from(edges), Float64Array.of(certain ? 1 : 0)];
      });
      return edgesFrom(found);
    },
  };
};
