import { cellsOf } from '../../src/domain/domain.js';
import type { Table } from '../../src/domain/table.js';
import type { Model } from '../../src/model/model.js';
import { supportOf } from '../../src/model/support/support.js';
import { supportModel } from '../../src/model/support/support-model.js';
import { combinations } from '../../src/query/workload/combinations.js';
import { seeded } from '../../src/random/seeded.js';
import { shuffle } from '../../src/random/shuffle.js';

/** Total variation distances of some marginals. */
export interface MarginalErrors {
  readonly mean: number;
  readonly worst: number;
}

export interface RivalErrors {
  readonly pairs: MarginalErrors;
  readonly triples: MarginalErrors;
}

/** Marginals that a release is judged by, with the truth: a laboratory act. */
export interface Judged {
  readonly pairs: readonly (readonly string[])[];
  readonly triples: readonly (readonly string[])[];
  errors(shares: (sets: readonly (readonly string[])[]) => readonly ArrayLike<number>[]): RivalErrors;
}

/** Shares of the cells of marginals of a model. */
export const sharesOf = (model: Model) => (sets: readonly (readonly string[])[]) =>
  sets.map((set) => model.marginal(set).map((count) => count / model.total));

/** Cells of a judged marginal, and how many of each kind are judged, at most. */
const mostCells = 5000;
const most = { pairs: 150, triples: 100 };

const setsOf = ({ domain }: Table, attributes: number, count: number): string[][] => {
  const sets = [...combinations(domain.attributes.length, attributes)]
    .map((indices) => indices.map((index) => domain.attributes[index].name))
    .filter((set) => cellsOf(domain, set) <= mostCells);
  return shuffle(sets, seeded(55)).slice(0, count);
};

export const judged = (table: Table): Judged => {
  const truth = supportModel(supportOf(table), 1);
  const sets = { pairs: setsOf(table, 2, most.pairs), triples: setsOf(table, 3, most.triples) };
  const exact = {
    pairs: sets.pairs.map((set) => truth.marginal(set)),
    triples: sets.triples.map((set) => truth.marginal(set)),
  };
  return {
    ...sets,
    errors: (shares) => {
      const of = (kind: keyof typeof sets): MarginalErrors => {
        const distances = shares(sets[kind]).map(
          (told, t) => exact[kind][t].reduce((sum, share, cell) => sum + Math.abs(share - told[cell]), 0) / 2,
        );
        return {
          mean: distances.reduce((sum, distance) => sum + distance, 0) / distances.length,
          worst: Math.max(...distances),
        };
      };
      return { pairs: of('pairs'), triples: of('triples') };
    },
  };
};
