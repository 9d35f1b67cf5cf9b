import { describe, expect, it } from 'vitest';
import { randomFactors, shapes } from '../../../test/support/full-table.js';
import { plainDomain } from '../../../test/support/plain-source.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { junctionTree } from '../../model/graphical/tree/junction-tree.js';
import { seeded } from '../../random/seeded.js';
import { type Container, readContainer, writeContainer } from './binary-container.js';
import { readModel, writeModel } from './model-file.js';

const made = ({ sizes, cliques }: (typeof shapes)[string], approximate = false): GraphicalModel => {
  const domain = plainDomain(sizes);
  const tree = junctionTree(domain, cliques);
  return graphicalModel(tree, randomFactors(tree, cliques, 1, 1), 123.5, { approximate });
};

describe('graphicalCodec', () => {
  it.each(Object.entries(shapes))('keeps the model of %s exactly', (_, shape) => {
    const model = made(shape);
    const again = readModel(writeModel(model), model.domain, 'm') as GraphicalModel;
    expect(again.kind).toBe('graphical');
    expect(again.total).toBe(123.5);
    expect(again.tree).toEqual(model.tree);
    expect(again.factors).toEqual(model.factors);
    const names = model.domain.attributes.map(({ name }) => name).reverse();
    expect(again.marginal(names)).toEqual(model.marginal(names));
    expect(again.sample(20, seeded(1))).toEqual(model.sample(20, seeded(1)));
    expect(writeModel(again)).toEqual(writeModel(model));
  });

  it('keeps the word on approximation, impossible cells, and a tree that the factors alone would not give', () => {
    const domain = plainDomain([2, 3, 2]);
    const potential = Float64Array.of(0, -Infinity, 1);
    const model = graphicalModel(junctionTree(domain, [['a', 'b', 'c']]), [{ attributes: ['b'], potential }], 5, {
      approximate: true,
    });
    const again = readModel(writeModel(model), domain, 'm') as GraphicalModel;
    expect(again.approximate).toBe(true);
    expect(again.tree.cliques.length).toBe(1);
    expect(again.factors[0].potential).toEqual(potential);
  });

  it('refuses every file whose parts do not fit', () => {
    const model = made(shapes['a chain'], true);
    const good = readContainer(writeModel(model), 'm');
    const refused = (
      change: (container: { meta: Record<string, unknown>; arrays: Record<string, unknown> }) => void,
    ) => {
      const copy = {
        meta: { ...good.meta },
        arrays: Object.fromEntries(Object.entries(good.arrays).map(([key, array]) => [key, array.slice()])),
      };
      change(copy as never);
      const bytes = writeContainer({ kind: 'graphical', ...copy } as Container);
      expect(() => readModel(bytes, model.domain, 'm')).toThrow(/^m: must hold a model of this release/);
    };
    const potentials = good.arrays.potentials as Float64Array;
    refused(({ meta }) => {
      meta.total = -1;
    });
    refused(({ meta }) => {
      meta.total = null;
    });
    refused(({ meta }) => {
      delete meta.approximate;
    });
    refused(({ arrays }) => {
      arrays.potentials = potentials.slice(1);
    });
    refused(({ arrays }) => {
      arrays.potentials = Float64Array.of(...potentials, 0);
    });
    refused(({ arrays }) => {
      arrays.potentials = potentials.map((value, i) => (i === 2 ? Number.NaN : value));
    });
    refused(({ arrays }) => {
      arrays.potentials = potentials.map((value, i) => (i === 2 ? Infinity : value));
    });
    refused(({ arrays }) => {
      arrays.potentials = potentials.map(() => -Infinity);
    });
    refused(({ arrays }) => {
      arrays.potentials = Uint32Array.from(potentials);
    });
    refused(({ arrays }) => {
      delete arrays.starts;
    });
    refused(({ arrays }) => {
      arrays.more = Uint8Array.of(1);
    });
    for (const key of ['attributes', 'cliques', 'starts', 'cliqueStarts']) {
      const array = good.arrays[key];
      // A list without its last entry, with one too many, with one beyond what there is.
      refused(({ arrays }) => {
        arrays[key] = array.slice(0, -1);
      });
      refused(({ arrays }) => {
        arrays[key] = Uint32Array.of(...array, array[0]);
      });
      refused(({ arrays }) => {
        arrays[key] = array.map((value, i) => (i === array.length - 1 ? 99 : value));
      });
    }
    refused(({ arrays }) => {
      arrays.attributes = good.arrays.attributes.map((value, i, all) => all[i ^ 1] ?? value);
    });
    refused(({ arrays }) => {
      arrays.attributes = good.arrays.attributes.map((value, i, all) => (i === 1 ? all[0] : value));
    });
  });
});
