import type { KernelCall, Kernels } from '../../../../kernel/kernels.js';
import type { TableStep } from '../table-step.js';
import { type PlacedSplit, partsEach, type Workbench } from './workbench.js';

/** Carries a step out in linear space. */
const walk = (kernels: Kernels, { a, b, target, sums, shape }: TableStep): void => {
  if (sums) kernels.clear(sums.address, 8 * sums.cells);
  if (!target) kernels.sumTables(shape, a.address, b.address, sums!.address);
  else if (!sums) kernels.multiplyTables(shape, a.address, b.address, target.address);
  else kernels.multiplySumTables(shape, a.address, b.address, target.address, sums.address);
};

/** The same in parts that run at the same time. */
const share = ({ engine, team }: Workbench, { a, b, target, sums }: TableStep, { parts, apart }: PlacedSplit): void => {
  const { kernels } = engine;
  if (sums) kernels.clear(sums.address, 8 * sums.cells);
  if (sums && apart) kernels.clear(apart, 8 * sums.cells * (parts.length - 1));
  team.share(
    parts.map((part, k): KernelCall => {
      const [x, y] = [a.address + part.a, b.address + part.b];
      const t = (target?.address ?? 0) + part.target;
      const s = !sums ? 0 : apart && k > 0 ? apart + 8 * sums.cells * (k - 1) : sums.address + part.sums;
      if (!target) return ['sumTables', part.shape, x, y, s];
      return sums ? ['multiplySumTables', part.shape, x, y, t, s] : ['multiplyTables', part.shape, x, y, t];
    }),
  );
  if (sums && apart)
    for (let k = 1; k < parts.length; k++) kernels.axpy(1, apart + 8 * sums.cells * (k - 1), sums.address, sums.cells);
};

/** Carries steps out one after the other, those in parts that are worth it. */
export const walkAll = (bench: Workbench, steps: readonly TableStep[]): void => {
  for (const step of steps) {
    const split = bench.splits.get(step);
    if (split) share(bench, step, split);
    else walk(bench.engine.kernels, step);
  }
};

/** Runs a kernel over equal parts of a long vector. */
export const inParts = (
  { team }: Workbench,
  cells: number,
  call: (from: number, length: number) => KernelCall,
): number[] => {
  const parts = partsEach * team.threads;
  const bounds = Array.from({ length: parts + 1 }, (_, k) => Math.floor((cells * k) / parts));
  return team.share(bounds.slice(1).map((end, k) => call(bounds[k], end - bounds[k])));
};
