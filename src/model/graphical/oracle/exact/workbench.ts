import type { Engine } from '../../../../kernel/engine.js';
import type { KernelCall } from '../../../../kernel/kernels.js';
import { factorSteps, placeAxes, placeShapes, placeTables } from '../oracle-plan.js';
import type { TableStep } from '../table-step.js';
import { type ExactPlan, stepsOf } from './exact-plan.js';
import { splitStep } from './split-step.js';

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

/** Gives every table and shape of a plan memory. */
export const layOut = (plan: ExactPlan, engine: Engine, threads: number): Workbench => {
  placeTables(plan, engine);
  const steps = [...factorSteps(plan), ...plan.cliques.flatMap(stepsOf)];
  placeShapes(steps, engine);
  const splits = new Map<TableStep, PlacedSplit>();
  if (threads > 1)
    for (const step of steps) if (step.cells >= sharedCells) splits.set(step, placeSplit(step, engine, threads));
  return { plan, engine, threads, splits };
};

const placeSplit = (step: TableStep, engine: Engine, threads: number): PlacedSplit => {
  const { parts, shared } = splitStep(step, threads);
  const shapes = placeAxes(
    parts.map(({ axes }) => axes),
    engine,
  );
  return {
    parts: parts.map(({ axes: _, ...offsets }, k) => ({ ...offsets, shape: shapes[k] })),
    apart: shared && step.sums ? engine.arena.f64(step.sums.cells * (parts.length - 1)).address : undefined,
  };
};
