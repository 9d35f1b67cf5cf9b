import { codesAt } from '../domain/cell-index.js';
import { indexOf, sizesOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Table } from '../domain/table.js';
import type { Random } from '../random/random.js';
import { uniformInteger } from '../random/uniform.js';

/** What the score groups by, and which marginals it compares. */
export interface NistScoreOptions {
  /** The attributes whose combinations are the groups. */
  readonly groups: readonly string[];
  /** Draws the pairs of attributes: the same seed compares two tables on the same pairs. */
  readonly random: Random;
  /** Random pairs of attributes for each group, 50 by default. */
  readonly pairs?: number | undefined;
  /** A group whose number of rows is off by this much or more has an error of 2; 250 by default. */
  readonly bias?: number | undefined;
}

/** The error of one group that has true rows. */
export interface GroupScore {
  /** Cell of each key attribute. */
  readonly key: readonly number[];
  /** Rows of the true and of the synthetic table. */
  readonly truth: number;
  readonly synthetic: number;
  /** Mean over the pairs of the L1 distance of two-way marginals, as proportions: 0 to 2. No penalty. */
  readonly error: number;
  /** True when the number of rows is too far off, which makes the group's error 2. */
  readonly penalised: boolean;
}

/** The score of the contest, over all groups. */
export interface NistScore {
  /** The challenge's error: mean over groups with true rows, penalties included. 0 to 2, less is better. */
  readonly error: number;
  /** The same mean as if there were no penalty. */
  readonly withoutPenalty: number;
  readonly penalised: number;
  /** Synthetic rows in groups that have no true row; they enter no error. */
  readonly stray: number;
  readonly groups: readonly GroupScore[];
}

/**
 * The score of the NIST Temporal Map Challenge, sprint 2, as the IDE paper states it (section 4, Measurement). It compares a
 * synthetic table with the truth, so it is a laboratory act: never publish it for private data.
 */
export const nistScore = (truth: Table, synthetic: Table, options: NistScoreOptions): NistScore => {
  const { groups: keys, random, pairs = 50, bias = 250 } = options;
  const others = truth.domain.attributes.filter(({ name }) => !keys.includes(name));
  if (others.length < 2)
    throw new InputError(`score: needs two attributes besides the groups' own, got ${others.length}`);
  const places = others.map(({ name, size }) => ({
    size,
    truth: truth.columns[indexOf(truth.domain, name)],
    synthetic: synthetic.columns[indexOf(synthetic.domain, name)],
  }));
  const trueRows = rowsByGroup(truth, keys);
  const syntheticRows = rowsByGroup(synthetic, keys);
  const none = new Uint32Array();
  const scores = [...trueRows].map(([group, mine]): GroupScore => {
    const theirs = syntheticRows.get(group) ?? none;
    let sum = 0;
    for (let pair = 0; pair < pairs; pair++) {
      const first = uniformInteger(random, places.length);
      const second = (first + 1 + uniformInteger(random, places.length - 1)) % places.length;
      const [a, b] = [places[first], places[second]];
      const difference = new Map<number, number>();
      const add = (cell: number, share: number) => difference.set(cell, (difference.get(cell) ?? 0) + share);
      for (const row of mine) add(a.truth[row] * b.size + b.truth[row], 1 / mine.length);
      for (const row of theirs) add(a.synthetic[row] * b.size + b.synthetic[row], -1 / theirs.length);
      // A marginal of no rows is nowhere: as far as can be.
      if (theirs.length === 0) sum += 2;
      else for (const share of difference.values()) sum += Math.abs(share);
    }
    return {
      key: codesAt(group, sizesOf(truth.domain, keys)),
      truth: mine.length,
      synthetic: theirs.length,
      error: sum / pairs,
      penalised: Math.abs(mine.length - theirs.length) >= bias,
    };
  });
  const mean = (of: (score: GroupScore) => number): number =>
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  return {
    error: mean(({ error, penalised }) => (penalised ? 2 : error)),
    withoutPenalty: mean(({ error }) => error),
    penalised: scores.filter(({ penalised }) => penalised).length,
    stray: [...syntheticRows].reduce((sum, [group, rows]) => sum + (trueRows.has(group) ? 0 : rows.length), 0),
    groups: scores,
  };
};

/** Row numbers of each group that has any, by the group's number, ascending. */
export const rowsByGroup = ({ domain, columns, length }: Table, keys: readonly string[]): Map<number, Uint32Array> => {
  const parts = keys.map((name) => indexOf(domain, name));
  const lists = new Map<number, number[]>();
  for (let row = 0; row < length; row++) {
    const group = parts.reduce((number, a) => number * domain.attributes[a].size + columns[a][row], 0);
    const list = lists.get(group);
    if (list === undefined) lists.set(group, [row]);
    else list.push(row);
  }
  return new Map([...lists].sort(([a], [b]) => a - b).map(([group, rows]) => [group, Uint32Array.from(rows)]));
};
