import { cellsOf } from '../../../../domain/domain.js';
import type { Turns } from '../../../../domain/turns.js';
import type { JunctionTree } from '../../tree/junction-tree.js';
import { placeShapes } from '../oracle-plan.js';
import { tableStep } from '../table-step.js';
import { walkAll } from './linear-steps.js';
import type { Workbench } from './workbench.js';

/**
 * The probabilities of all cells of each clique, as the tree lists them, after a run in linear space: a clique is its product times its update, or, where it is
 * an output, what it is. New arrays.
 */
export function* readingBeliefs(bench: Workbench, tree: JunctionTree): Turns<Float64Array[]> {
  const { plan, engine } = bench;
  const { arena, memory } = engine;
  const place = new Map(tree.order.map((name, index) => [name, index]));
  const keyOf = (attributes: readonly number[]): string => attributes.join();
  const read = (address: number, cells: number): Float64Array =>
    new Float64Array(memory.buffer, address, cells).slice();
  const made = new Map<string, Float64Array>();
  for (const { table, own, update } of plan.cliques) {
    yield;
    const mark = arena.mark();
    try {
      const target = own < 0 ? { ...table, address: arena.f64(table.cells).address } : table;
      if (own < 0) {
        const step = tableStep({ a: table, b: update, target }, plan.sizes);
        placeShapes([step], engine);
        walkAll(bench, [step]);
      }
      made.set(keyOf(table.attributes), read(target.address, table.cells));
    } finally {
      arena.release(mark);
    }
  }
  return tree.cliques.map(({ attributes }) => {
    // Attributes of one cell are in no table of a plan, and those in no factor are alone.
    const wide = attributes.map((name) => place.get(name)!).filter((index) => plan.sizes[index] > 1);
    const cells = cellsOf(tree.domain, attributes);
    return made.get(keyOf(wide)) ?? new Float64Array(cells).fill(1 / cells);
  });
}
