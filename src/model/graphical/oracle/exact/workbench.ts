import type { Engine } from '../../../../kernel/engine.js';
import type { KernelCall } from '../../../../kernel/kernels.js';
import { shapeWords, writeShape } from '../../../../kernel/table-shape.js';
import type { Table, TableStep } from '../table-step.js';
import { type ExactPlan, stepsOf } from './exact-plan.js';
import { type StepSplit, splitStep } from './split-step.js';

/** Cells from which the work on a table is worth sharing: a turn of the workers costs some tens of microseconds. */
export const sharedCells = 1 << 18;

/** Lists of calls to run at the same time; the results come back. */
export type Batch = readonly (readonly KernelCall[])[];

/** A run hands the batches out that are worth sharing and does everything else itself; in the end it gives log Z. */
export type Run = Generator<Batch, number, number[][]>;

/** A part of a shared step with its axes in kernel memory. */
export interface PlacedPart {
  readonly shape: number;
  readonly a: number;
  readonly b: number;
  readonly target: number;
  readonly sums: number;
}

export interface PlacedSplit {
  readonly parts: readonly PlacedPart[];
  /** Address of the sums of all parts but the first, one after the other, where parts need sums of their own. */
  readonly apart: number | undefined;
}

/** A plan in memory. */
export interface Workbench {
  readonly plan: ExactPlan;
  readonly engine: Engine;
  /** Threads that may share a step. */
  readonly threads: number;
  readonly splits: ReadonlyMap<TableStep, PlacedSplit>;
}

const place = (list: readonly Table[], engine: Engine): void => {
  for (const each of list) each.address = engine.arena.f64(each.cells).address;
};

/** Gives every table and shape of a plan memory. */
export const layOut = (plan: ExactPlan, engine: Engine, threads: number): Workbench => {
  const { arena } = engine;
  place(plan.kept, engine);
  const scratch = arena.allocate(
    plan.passing.reduce(
      (most, list) =>
        Math.max(
          most,
          list.reduce((bytes, { cells }) => bytes + 8 * cells, 0),
        ),
      0,
    ),
  );
  for (const list of plan.passing) {
    let at = scratch;
    for (const each of list) {
      each.address = at;
      at += 8 * each.cells;
    }
  }
  const steps = [
    ...plan.factors.flatMap(({ gather, spread }) => (spread ? [...gather, spread] : gather)),
    ...plan.cliques.flatMap(stepsOf),
  ];
  const split = new Map<TableStep, StepSplit>();
  if (threads > 1) for (const step of steps) if (step.cells >= sharedCells) split.set(step, splitStep(step, threads));

  const shapes = arena.u32(
    steps.reduce((words, { axes }) => words + shapeWords(axes.length), 0) +
      [...split].reduce((words, [{ axes }, { parts }]) => words + parts.length * shapeWords(axes.length), 0),
  );
  let word = 0;
  const writeAxes = (axes: TableStep['axes']): number => {
    const end = word + shapeWords(axes.length);
    writeShape(shapes.view.subarray(word, end), axes);
    const address = shapes.address + 4 * word;
    word = end;
    return address;
  };
  for (const step of steps) step.shape = writeAxes(step.axes);
  const splits = new Map<TableStep, PlacedSplit>();
  for (const [step, { parts, shared }] of split)
    splits.set(step, {
      parts: parts.map(({ axes, ...offsets }) => ({ ...offsets, shape: writeAxes(axes) })),
      apart: shared && step.sums ? arena.f64(step.sums.cells * (parts.length - 1)).address : undefined,
    });
  return { plan, engine, threads, splits };
};
