import { cellsOfPair, columnsOfPair, pairReader } from '../../domain/discover/asked-pair.js';
import type { AskedDate, AskedNumeric } from '../../domain/discover/draft.js';
import { ladderOf, placeReader, placesUpTo } from '../../domain/discover/ladder.js';
import { cellsOfLook, lookReader, looks } from '../../domain/discover/looks.js';
import { domainOf } from '../../domain/domain-of.js';
import { InputError } from '../../domain/input-error.js';
import { plural } from '../../domain/plural.js';
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
import type { DiscoveryDoor, EdgesOptions } from './discovery-door.js';
import { type EdgesPlan, planEdges } from './plan-edges.js';
import { type NoiseOf, rowsForEntry } from './plan-map.js';
import { passedFrom, passedNumbers } from './replies.js';
import { thresholdFor, weightsUpTo, wholeWeight } from './unit-weights.js';

/** What stands behind the door of a discovery. */
export interface DiscoveryParts extends Pick<DoorParts, 'relation' | 'unit' | 'account' | 'primitives' | 'running'> {
  readonly raw: RawSource;
  /** The part of delta that thresholds may take, a decimal. */
  readonly thresholds: string | undefined;
}

/** Cells of a look, whichever: what neighbours can differ by in a marginal does not hang on how many there are. */
const lookDomain = domainOf([{ name: 'look', type: 'category', values: [...looks.kind] }]);

/** What neighbours can differ by in the number of rows, or in numbers of rows by how they look, in the norm of the noise. */
export const countsSensitivity = (cells: 'rows' | 'looks', kind: NoiseName, relation: Relation, unit: Unit): bigint => {
  const query = cells === 'rows' ? marginal() : marginal('look');
  return noiseKinds[kind].sensitivityIn(sensitivity(query, lookDomain, relation, unit));
};

/** The squared L2 sensitivity of weighted counts of values: those of one unit have squares of no more than the whole, and a unit that is replaced takes its own along. */
export const valuesSensitivity = (relation: Relation): Rational =>
  rational((relation === 'replace-one' ? 2 : 1) * wholeWeight ** 2);

/** Values are asked for in rounds where one would tell those that at most this part of the rows have: fewer then would not leave much to the later ones. */
const worthRounds = 0.1;
const manyRounds = 3;

/** The noise that a charge is for, in doubles. */
export const noiseOf = (charge: NoiseCharge): NoiseOf => ({
  kind: charge.kind,
  scale: noiseKinds[charge.kind].scaleOf(noiseIn(charge).parameter),
});

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
  const countsCharge = (amount: Amount, cells: 'rows' | 'looks'): NoiseCharge | undefined => {
    const kind = defaultNoise[account.currency];
    const size = countsSensitivity(cells, kind, relation, unit);
    return size === 0n ? undefined : noiseChargeFor(kind, amount, rational(size), account.currency);
  };
  const deviationOf = (charge: NoiseCharge | undefined): number => {
    if (charge === undefined) return 0;
    const { kind, scale } = noiseOf(charge);
    return noiseKinds[kind].deviation(scale);
  };
  const noisy = (counts: Float64Array, charge: NoiseCharge | undefined): Float64Array =>
    charge === undefined ? counts : primitives.addNoise(charge.kind, counts, noiseIn(charge).parameter);

  /** Counts of rows in public cells, a row in one cell of each at most: marginals, each with an equal part of the share. */
  const marginals = async <T>(
    what: string,
    asked: readonly T[],
    share: number,
    countsOf: (one: T) => Promise<Float64Array>,
  ): Promise<{ readonly counts: Float64Array; readonly charge: NoiseCharge }[]> => {
    const amounts = divide(
      account.amount(share),
      asked.map(() => 1),
    );
    const charges = amounts.map((amount) => countsCharge(amount, 'looks')!);
    const found = await account.pay(what, charges, async (drawing) => {
      const answers: Float64Array[] = [];
      for (const one of asked) answers.push(await countsOf(one));
      await drawing();
      return answers.map((counts, i) => noisy(counts, charges[i]));
    });
    return found.map((counts, i) => ({ counts, charge: charges[i] }));
  };

  const edgesPlan = (
    places: number,
    share: number,
    { rows, bins }: EdgesOptions,
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

  const valuesPlan = (columns: number, share: number, parts: number) => {
    if (thresholds === undefined)
      throw new InputError(
        'budget: its delta must have a part for thresholds to ask for values, got none; give a delta, or list the values in the schema',
      );
    if (!(Number.isSafeInteger(parts) && parts > 0 && columns > 0))
      throw new InputError(`values: must be asked of columns, in a whole number of parts, got ${columns} in ${parts}`);
    const granted = decimal(thresholds, 'thresholds');
    const delta = rational(granted.numerator, granted.denominator * 2n * BigInt(parts));
    const charge = noiseChargeFor('gaussian', account.amount(share), valuesSensitivity(relation), account.currency);
    const { parameter } = noiseIn(charge);
    return {
      charges: [charge, { kind: 'threshold', delta }] as const,
      parameter,
      threshold: thresholdFor(parameter, delta, columns * k),
    };
  };

  const reachFor: DiscoveryDoor['reachFor'] = (columns, share) => {
    const { threshold } = valuesPlan(columns, share, 1);
    const [least] = weightsUpTo(columns).slice(-1);
    return threshold / least;
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
    async looks(given, share) {
      const asked = ownCopy(given, 'looks');
      for (const { column } of asked) known(column);
      const found = await marginals(`measure what ${asked.length} columns look like`, asked, share, async (look) => {
        const counts = new Float64Array(cellsOfLook(look));
        const read = lookReader(look);
        await raw.values(
          look.column,
          (text, rows) => {
            counts[read(text)] += rows;
          },
          running,
        );
        return counts;
      });
      return found.map(({ counts, charge }) => ({ counts, deviation: deviationOf(charge) }));
    },
    async values(given, share, options) {
      const columns = ownCopy(given, 'columns');
      for (const { name } of columns) known(name);
      const { charges, parameter, threshold } = valuesPlan(columns.length, share, options.parts);
      const what = `ask for the values of ${plural(columns.length, 'column')}`;
      const found = await account.pay(what, charges, async (drawing) => {
        await drawing();
        const passer = primitives.passer(parameter, threshold);
        await raw.shared({ columns, weights: weightsUpTo(columns.length * k) }, passer.offer, running);
        return passedNumbers(passer.finish());
      });
      return passedFrom(found);
    },
    reachFor,
    roundsFor: (columns, share, rows) => (reachFor(columns, share) <= worthRounds * rows ? manyRounds : 1),
    async edges(given, share, options) {
      const spec = ownCopy(given, 'column');
      known(spec.name);
      const ladder = ladderOf(spec);
      const { levels, beyond, epsilon } = edgesPlan(ladder.length, share, options);
      const charges: Charge[] = [
        { kind: 'exponential', epsilon },
        { kind: 'exponential', epsilon },
        ...Array.from({ length: levels }, (_, level) => levelCharge(epsilon, level)),
      ];
      const what = `ask for the edges of ${JSON.stringify(spec.name)}`;
      const [found] = await account.pay(what, charges, async (drawing) => {
        const counts = await ladderCounts(spec, ladder);
        await drawing();
        const replaces = relation === 'replace-one';
        const choose = (scores: Float64Array, size: number): number =>
          primitives.choose('exponential', { single: scores, unscored: [], numberAt: (at) => at }, size, epsilon);
        return [Float64Array.from(chooseEdges({ counts, maxRecords: k, replaces }, { levels, beyond }, choose))];
      });
      return Array.from(found);
    },
    async together(given, share) {
      const pairs = ownCopy(given, 'pairs');
      for (const pair of pairs) for (const { name } of columnsOfPair(pair)) known(name);
      const what = `measure which values of ${plural(pairs.length, 'list')} of columns stand together`;
      const found = await marginals(what, pairs, share, async (pair) => {
        const counts = new Float64Array(cellsOfPair(pair));
        const read = pairReader(pair);
        await raw.together(
          columnsOfPair(pair).map(({ name }) => name),
          (texts, rows) => {
            const cell = read(texts);
            if (cell !== undefined) counts[cell] += rows;
          },
          running,
        );
        return counts;
      });
      return found.map(({ counts, charge }) => ({ counts, noise: noiseOf(charge) }));
    },
    findsMap: (pair, share, rows) => {
      const noise = noiseOf(countsCharge(account.amount(share), 'looks')!);
      return rows >= rowsForEntry(noise, { parents: cellsOfPair(pair) / pair.to.size, children: pair.to.size });
    },
    findsEdges: (spec, share, options) => edgesPlan(ladderOf(spec).length, share, options).certain,
  };
};
