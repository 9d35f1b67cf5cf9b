import type { Engine } from '../../../../kernel/engine.js';
import type { Team } from '../../../../kernel/team.js';
import { factorSteps, placeAxes, placeShapes, placeTables } from '../oracle-plan.js';
import type { TableStep } from '../table-step.js';
import { type ExactPlan, stepsOf } from './exact-plan.js';
import { splitStep } from './split-step.js';

/** Cells from which the work on a table is worth sharing: smaller ones stay with the thread whose processor has them at hand, and moving them costs more than it gains. */
export const sharedCells = 1 << 19;

/** Cells from which events are let through between tables. */
export const longCells = 1 << 16;

/** Parts of shared work for each thread. */
export const partsEach = 2;

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
  /** Who shares a step. */
  readonly team: Team;
  readonly splits: ReadonlyMap<TableStep, PlacedSplit>;
}

/** Gives every table and shape of a plan memory. */
export const layOut = (plan: ExactPlan, engine: Engine, team: Team): Workbench => {
  placeTables(plan, engine);
  const steps = [...factorSteps(plan), ...plan.cliques.flatMap(stepsOf)];
  placeShapes(steps, engine);
  const splits = new Map<TableStep, PlacedSplit>();
  if (team.threads > 1)
    for (const step of steps) {
      const split = step.cells >= sharedCells ? placeSplit(step, engine, team.threads) : undefined;
      if (split !== undefined) splits.set(step, split);
    }
  return { plan, engine, team, splits };
};

const placeSplit = (step: TableStep, engine: Engine, threads: number): PlacedSplit | undefined => {
  // More parts than threads, so that one which is kept waiting does not keep the others; fewer where each needs sums of its own.
  const many = splitStep(step, partsEach * threads);
  const split = many?.shared === false ? many : splitStep(step, threads);
  if (split === undefined) return undefined;
  const { parts, shared } = split;
  const shapes = placeAxes(
    parts.map(({ axes }) => axes),
    engine,
  );
  return {
    parts: parts.map(({ axes: _, ...offsets }, k) => ({ ...offsets, shape: shapes[k] })),
    apart: shared && step.sums ? engine.arena.f64(step.sums.cells * (parts.length - 1)).address : undefined,
  };
};
