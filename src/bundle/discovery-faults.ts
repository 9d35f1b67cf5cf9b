import { type AskedPair, cellsOfPair, columnsOfPair } from '../domain/discover/asked-pair.js';
import { ladderOf } from '../domain/discover/ladder.js';
import { cellsOfLook } from '../domain/discover/looks.js';
import { InputError } from '../domain/input-error.js';
import { withOutside } from '../domain/schema/outside.js';
import { parseSchema } from '../domain/schema/parse-schema.js';
import type { Charge } from '../privacy/accounting/charge.js';
import { countsSensitivity, levelCharge, noiseOf, valuesSensitivity } from '../privacy/discovery/discovering.js';
import type { DiscoveryDoor, NoisyCounts } from '../privacy/discovery/discovery-door.js';
import type { NoiseOf } from '../privacy/discovery/plan-map.js';
import { thresholdFor } from '../privacy/discovery/unit-weights.js';
import { chargeToJson } from '../privacy/ledger/record/charge-json.js';
import { isNoiseCharge, noiseIn, noiseKinds } from '../privacy/noise/noise-kinds.js';
import { compareRational, rational } from '../privacy/rational.js';
import { discoverSchema } from '../release/discover/discover-schema.js';
import type { DiscoveryAct } from './discovery-record.js';
import type { Manifest } from './manifest.js';

/** The charges of a bundle's acts, one after the other, without those that an interruption took. */
const hadCharges = ({ charges }: Manifest): (readonly Charge[])[] =>
  charges.filter(({ lost }) => !lost).map((act) => act.charges);

/** Whether a list of columns is that of a pair. */
const isAbout =
  (pair: AskedPair) =>
  (names: readonly string[]): boolean =>
    JSON.stringify(columnsOfPair(pair).map(({ name }) => name)) === JSON.stringify(names);

const fault = (what: string): InputError => new InputError(`discovery: ${what}`);

/**
 * Goes through the discovery of a bundle again: every answer must have the charges that its act costs, every value must have passed the threshold that
 * its noise and its delta ask for, and the schema must be the one that follows. Gives the charges that belong to the measurements.
 */
const replayed = (manifest: Manifest) => {
  const { relation, unit } = manifest.privacy;
  const record = manifest.discovery!;
  const paid = hadCharges(manifest);
  let next = 0;
  let act = 0;
  const take = <A extends DiscoveryAct['act']>(kind: A, column?: string): DiscoveryAct & { readonly act: A } => {
    const found = record.acts[act++];
    if (found?.act !== kind || (column !== undefined && 'column' in found && found.column !== column))
      throw fault(`act ${act} must be one for ${kind}, as its draft asks, got ${found?.act ?? 'none'}`);
    return found as DiscoveryAct & { readonly act: A };
  };
  const charged = (): readonly Charge[] => {
    const charges = paid[next++];
    if (charges === undefined) throw fault(`act ${act} must have charges, got none left over`);
    return charges;
  };
  const noiseFor = (charge: Charge | undefined, cells: 'rows' | 'looks'): NoiseOf => {
    if (charge === undefined || !isNoiseCharge(charge))
      throw fault(`act ${act} must have a charge for its noise, got another`);
    const { sensitivity } = noiseIn(charge);
    const must = countsSensitivity(cells, charge.kind, relation, unit);
    if (compareRational(sensitivity, rational(must)) !== 0)
      throw fault(
        `act ${act} must be charged for a sensitivity of ${must}, got ${JSON.stringify(chargeToJson(charge))}`,
      );
    return noiseOf(charge);
  };
  const noisy = (charge: Charge | undefined, counts: readonly number[], cells: 'rows' | 'looks'): NoisyCounts => {
    const { kind, scale } = noiseFor(charge, cells);
    return { counts: Float64Array.from(counts), deviation: noiseKinds[kind].deviation(scale) };
  };
  const door: DiscoveryDoor = {
    relation,
    unit,
    async total() {
      const { count } = take('total');
      const free = countsSensitivity('rows', 'gaussian', relation, unit) === 0n;
      return free ? { counts: Float64Array.of(count), deviation: 0 } : noisy(charged()[0], [count], 'rows');
    },
    async looks(asked) {
      const found = take('looks');
      const charges = charged();
      const isSame =
        asked.length === found.asked.length &&
        asked.length === found.counts.length &&
        asked.every(
          (look, i) =>
            look.column === found.asked[i].column &&
            look.by === found.asked[i].by &&
            cellsOfLook(look) === found.counts[i].length,
        );
      if (!isSame || charges.length !== asked.length)
        throw fault(`act ${act} must be about the ${asked.length} columns that the draft asks about, got others`);
      return found.counts.map((counts, i) => noisy(charges[i], counts, 'looks'));
    },
    async values(columns) {
      const { columns: named, passed } = take('values');
      if (JSON.stringify(named) !== JSON.stringify(columns.map(({ name }) => name)))
        throw fault(`act ${act} must be about the ${columns.length} columns that the draft asks about, got others`);
      const [noise, limit, ...more] = charged();
      if (noise?.kind !== 'gaussian' || limit?.kind !== 'threshold' || more.length > 0)
        throw fault(`act ${act} must have a charge for noise and one for a threshold, got others`);
      if (compareRational(noise.sensitivitySquared, valuesSensitivity(relation)) !== 0)
        throw fault(`act ${act} must be charged for what a unit can bring, got another sensitivity`);
      const least = thresholdFor(noise.sigmaSquared, limit.delta, columns.length * unit.maxRecords);
      for (const { column, text, weight } of passed) {
        if (!(weight >= least))
          throw fault(`act ${act} must tell values with noisy weights from ${least} on, got one below`);
        if (columns[column] === undefined || columns[column].known.includes(text))
          throw fault(`act ${act} must tell values that were not known, got others`);
      }
      return passed.map(({ column, text, weight }) => ({ column, text, count: weight }));
    },
    // How often and where it was asked is no matter of privacy: what was asked for stands there.
    reachFor: () => 0,
    roundsFor: () => record.acts.filter((own) => own.act === 'values').length,
    findsEdges: ({ name }) => record.acts.some((own) => own.act === 'edges' && own.column === name),
    findsMap: (pair) => record.acts.some((own) => own.act === 'together' && own.asked.some(isAbout(pair))),
    async together(pairs) {
      const { asked, counts } = take('together');
      const charges = charged();
      const isSame =
        [asked, counts, charges].every(({ length }) => length === pairs.length) &&
        pairs.every((pair, i) => isAbout(pair)(asked[i]) && counts[i].length === cellsOfPair(pair));
      if (!isSame) throw fault(`act ${act} must be about the ${pairs.length} maps that the draft asks for, got others`);
      return counts.map((own, i) => ({ counts: Float64Array.from(own), noise: noiseFor(charges[i], 'looks') }));
    },
    async edges(spec) {
      const { name } = spec;
      const { edges } = take('edges', name);
      const [first, second, ...levels] = charged();
      const isRight =
        first?.kind === 'exponential' &&
        second?.kind === 'exponential' &&
        compareRational(first.epsilon, second.epsilon) === 0 &&
        levels.every(
          (own, level) =>
            JSON.stringify(chargeToJson(own)) === JSON.stringify(chargeToJson(levelCharge(first.epsilon, level))),
        );
      if (!isRight || edges.length < 2 || edges.length > 2 ** levels.length + 1)
        throw fault(
          `edges of ${JSON.stringify(name)} must have a charge for each choice, got ${edges.length} edges for other charges`,
        );
      if (edges.some((edge, i) => i > 0 && edge <= edges[i - 1]) || edges[edges.length - 1] >= ladderOf(spec).length)
        throw fault(`edges of ${JSON.stringify(name)} must increase, on the ladder of their column, got others`);
      return edges;
    },
  };
  return { door, done: () => ({ acts: act, charges: next }) };
};

/** The faults of what a bundle says of its discovery, and how many of its acts that were not lost were for it. */
export const discoveryFaults = async (
  manifest: Manifest,
): Promise<{ readonly faults: readonly string[]; readonly acts: number }> => {
  const { discovery, schema, configuration } = manifest;
  if (discovery === undefined)
    return {
      faults:
        schema.origin.kind === 'discovered' && thresholds(manifest)
          ? ['discovery: must be told where thresholds were charged, got none']
          : [],
      acts: 0,
    };
  const { door, done } = replayed(manifest);
  try {
    const found = await discoverSchema(door, discovery.draft, { share: discovery.share });
    const { acts, charges } = done();
    const faults =
      acts < discovery.acts.length
        ? [`discovery: must have the ${acts} acts that its draft asks for, got ${discovery.acts.length}`]
        : [];
    const must = parseSchema(withOutside(found.schema, configuration?.outside));
    if (JSON.stringify(must) !== JSON.stringify(schema))
      faults.push('schema: must be the one that follows from the discovery, got another');
    return { faults, acts: charges };
  } catch (error) {
    if (error instanceof InputError) return { faults: [error.message], acts: done().charges };
    throw error;
  }
};

const thresholds = ({ charges }: Manifest): boolean =>
  charges.some((act) => act.charges.some(({ kind }) => kind === 'threshold'));
