import type { Table } from '../../src/domain/table.js';
import type { Model } from '../../src/model/model.js';
import { supportOf } from '../../src/model/support/support.js';
import { supportModel } from '../../src/model/support/support-model.js';

export interface Errors {
  /** Mean over the triples of the total variation distance. */
  readonly mean: number;
  /** Largest error of a single cell, as a proportion. */
  readonly max: number;
}

/** Compares models with a private table: a laboratory act. */
export const judge = (table: Table, triples: readonly (readonly string[])[]): ((model: Model) => Errors) => {
  const truth = supportModel(supportOf(table), 1);
  const exact = triples.map((triple) => truth.marginal(triple));
  return (model) => {
    let mean = 0;
    let max = 0;
    triples.forEach((triple, t) => {
      const mine = model.marginal(triple);
      for (let cell = 0; cell < mine.length; cell++) {
        const error = Math.abs(mine[cell] / model.total - exact[t][cell]);
        mean += error / 2 / triples.length;
        if (error > max) max = error;
      }
    });
    return { mean, max };
  };
};
