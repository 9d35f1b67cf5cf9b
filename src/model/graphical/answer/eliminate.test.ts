import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryBlock } from '../../../../test/support/arbitrary-query.js';
import { randomFactors, shapes } from '../../../../test/support/full-table.js';
import { plainDomain } from '../../../../test/support/plain-source.js';
import type { Block } from '../../../query/block/block.js';
import { calibrate } from '../calibrate.js';
import { cliqueGraph } from '../tree/clique-graph.js';
import { junctionTree } from '../tree/junction-tree.js';
import { openElimination } from './eliminate.js';

describe.each(Object.entries(shapes))('elimination with room for one clique, over %s', (_, { sizes, cliques }) => {
  const tree = junctionTree(plainDomain(sizes), cliques);
  const graph = cliqueGraph(tree);
  const beliefs = calibrate(tree, randomFactors(tree, cliques, 1, 1));
  const room = Math.max(...graph.cells);

  it('gives in slices what it gives at once, with any blocks, of all attributes too (1e-12)', () => {
    const all = sizes.map((_size, attribute) => attribute);
    const questions = fc.shuffledSubarray(all).chain((attributes) =>
      fc.record({
        attributes: fc.constant(attributes),
        blocks: fc
          .tuple(...attributes.map((attribute) => fc.option(arbitraryBlock(sizes[attribute]))))
          .map((list) => new Map(attributes.flatMap((one, i) => (list[i] === null ? [] : [[one, list[i]] as const])))),
      }),
    );
    fc.assert(
      fc.property(questions, ({ attributes, blocks }) => {
        // A block that keeps its attribute is told by its absence.
        const told = new Map<number, Block>([...blocks].filter(([, { kind }]) => kind !== 'keep'));
        const slices = openElimination(graph, beliefs, { largest: room }).ask(attributes, told);
        const whole = openElimination(graph, beliefs).ask(attributes, told);
        expect(slices.values.length).toBe(whole.values.length);
        const most = whole.values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
        const factor = Math.exp(slices.log - whole.log);
        for (const [i, value] of whole.values.entries())
          expect(Math.abs(factor * slices.values[i] - value)).toBeLessThanOrEqual(1e-12 * most);
      }),
      { seed: 2, numRuns: 100, examples: [[{ attributes: all, blocks: new Map() }]] },
    );
  });
});

it('keeps what is less likely than a double can say in slices as well, beside cells that are impossible', () => {
  // Evidence on thirty attributes of a chain that nearly never agree, and a last attribute with a cell that never comes.
  const names = Array.from({ length: 33 }, (_, i) => `a${i}`);
  const cliques = names.slice(1).map((name, i) => [names[i], name]);
  const domain = plainDomain(
    names.map(() => 3),
    names,
  );
  const tree = junctionTree(domain, cliques);
  const factors = cliques.map((attributes, i) => ({
    attributes: tree.order.filter((name) => attributes.includes(name)),
    potential: Float64Array.from({ length: 9 }, (_, cell) =>
      i > 29 && (cell % 3 === 2 || cell > 5) ? Number.NEGATIVE_INFINITY : cell % 4 === 0 ? 0 : -60 + (cell % 3),
    ),
  }));
  const graph = cliqueGraph(tree);
  const beliefs = calibrate(tree, factors);
  const evidence = new Map<number, Block>(
    names.slice(0, 30).map((_, i) => [i, { kind: 'value', cell: i % 2 }] as const),
  );
  const asked = names.map((_, i) => i);
  const whole = openElimination(graph, beliefs).ask(asked, evidence);
  const slices = openElimination(graph, beliefs, { largest: 9 }).ask(asked, evidence);
  expect(whole.log).toBeLessThan(-700);
  const most = whole.values.reduce((max, value) => Math.max(max, value), 0);
  expect(most).toBeGreaterThan(0);
  for (const [i, value] of whole.values.entries())
    expect(Math.abs(slices.values[i] * Math.exp(slices.log - whole.log) - value)).toBeLessThanOrEqual(1e-9 * most);
});

it('refuses an answer in slices that would take too long, in a sentence with the next step', () => {
  const sizes = Array<number>(12).fill(4);
  const names = sizes.map((_, i) => String.fromCharCode(97 + i));
  const cliques = names.slice(1).map((name, i) => [names[i], name]);
  const tree = junctionTree(plainDomain(sizes), cliques);
  const beliefs = calibrate(tree, randomFactors(tree, cliques, 1, 1));
  const elimination = openElimination(cliqueGraph(tree), beliefs, { largest: 16, work: 2 ** 24 });
  expect(elimination.ask([0, 4, 8]).values.length).toBe(64);
  expect(() => elimination.ask(sizes.map((_, i) => i))).toThrow(/16777216 multiplications .* ask for fewer attributes/);
});
