import { InputError } from '../../../domain/input-error.js';
import { marginal } from '../../../query/marginal.js';
import { type DependenceGrid, dependenceGrid } from '../../answers/dependence-grid.js';
import { dependenceScore, dependenceSensitivity, type Sides } from '../../answers/dependence-scores.js';
import { selectionKinds } from '../../selection/selection-kinds.js';
import type { DoorParts } from '../door-parts.js';
import { ownDependences, ownMechanism } from '../own-input.js';
import type { Dependence, Door } from '../session.js';

/** Scores that are kept for later selections, as private as the counts they are made of. */
const mostKept = 2 ** 20;

/** A grid and the scores on it. */
interface Kept {
  readonly grid: DependenceGrid;
  readonly scores: Map<string, number>;
}

const keyOf = ({ of, on }: Dependence): string => JSON.stringify([of, on]);

/** Selections by mutual information: plan, pay, count, choose. */
export const selectingDependences = (parts: DoorParts): Pick<Door, 'selectDependence'> => {
  const { domain, relation, unit, account, exact, primitives, sensitivityOf } = parts;
  const sizes = new Map(domain.attributes.map(({ name, size }) => [name, size]));
  /** Of attributes that the domain has. */
  const cells = (names: readonly string[]): number => names.reduce((product, name) => product * sizes.get(name)!, 1);
  let last: Kept | undefined;

  const keptFor = (rows: number): Kept => {
    if (last?.grid.rows !== rows) last = { grid: dependenceGrid(rows), scores: new Map() };
    return last;
  };

  /** Whether the number of records is public: then neighbours have equally many, and a bound below it is refused. */
  const sameRows = async (rows: number): Promise<boolean> => {
    if (sensitivityOf(marginal()).l1 > 0) return false;
    const [[records]] = await account.pay('count the records', [], async () => {
      const counts: Float64Array[] = [];
      await exact.each([marginal()], (count) => {
        counts.push(count.slice());
      });
      return counts;
    });
    if (records > rows)
      throw new InputError(`rows: must be at least the number of records, which is public, got ${rows} for ${records}`);
    return true;
  };

  const read = async (
    candidates: readonly Dependence[],
    sides: readonly Sides[],
    { grid, scores: known }: Kept,
  ): Promise<Float64Array> => {
    const keys = candidates.map(keyOf);
    const missing = [...new Map(keys.map((key, index) => [key, index])).values()].filter(
      (index) => !known.has(keys[index]),
    );
    const found = new Map<string, number>();
    await exact.each(
      missing.map((index) => marginal(...candidates[index].of, ...candidates[index].on)),
      (counts, place) => {
        const index = missing[place];
        found.set(keys[index], dependenceScore(counts, sides[index], grid));
      },
    );
    const scores = Float64Array.from(keys, (key) => found.get(key) ?? known.get(key)!);
    // Many groups would each keep their own.
    if (parts.scratches !== undefined && known.size + found.size <= mostKept)
      for (const [key, score] of found) known.set(key, score);
    return scores;
  };

  return {
    async selectDependence(given, share, { rows, mechanism: by = 'exponential' }) {
      const candidates = ownDependences(given);
      if (candidates.length === 0) throw new InputError('candidates: must be at least one, got none');
      const mechanism = ownMechanism(by);
      const own = keptFor(Number(rows));
      exact.check(candidates.map(({ of, on }) => marginal(...of, ...on)));
      const sides = candidates.map(({ of, on }): Sides => [cells(of), cells(on)]);
      const epsilon = selectionKinds[mechanism].epsilonFor(account.amount(share), account.currency);
      const neighbours = { relation, maxRecords: unit.maxRecords, sameRows: await sameRows(own.grid.rows) };
      const sensitivity = dependenceSensitivity(own.grid, sides, neighbours);
      const what = `select among ${candidates.length} dependences`;
      const [[chosen]] = await account.pay(what, [{ kind: mechanism, epsilon }], async (drawing) => {
        const scores = { single: await read(candidates, sides, own), unscored: [], numberAt: (at: number) => at };
        await drawing();
        return [Float64Array.of(primitives.choose(mechanism, scores, sensitivity, epsilon))];
      });
      return chosen;
    },
  };
};
