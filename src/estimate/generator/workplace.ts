import type { Region } from '../../kernel/arena.js';
import type { Engine } from '../../kernel/engine.js';
import type { KernelCall, NetworkKernels } from '../../kernel/kernels.js';
import type { Pool } from '../../kernel/pool.js';
import type { GeneratorLayout, GeneratorNeeds, Piece } from './layout.js';
import { headColumns } from './network-shape.js';
import type { BatchRows } from './part.js';

/** A generator's memory and who works on it. */
export interface Workplace {
  readonly needs: GeneratorNeeds;
  readonly engine: Engine<NetworkKernels>;
  readonly pool: Pool;
  readonly layout: GeneratorLayout;
  readonly pieces: readonly Piece[];
}

/** Runs a list of calls for each piece of the batch. */
export const onPieces = (
  { pool, pieces }: Workplace,
  calls: (piece: Piece) => readonly KernelCall[],
): Promise<unknown> => Promise.all(pieces.map((piece) => pool.run(calls(piece))));

/** The heads of the rows of a piece. */
export const rowsOf = ({ needs, layout }: Workplace, { from, rows }: Piece): BatchRows => {
  const stride = headColumns(needs.shape);
  return {
    rows,
    probabilities: { address: layout.probabilities.address + 4 * from * stride, stride },
    gradients: { address: layout.gradients.address + 4 * from * stride, stride },
    ones: { address: layout.ones.address + 4 * from, stride: 1 },
  };
};

/** Views of a region, one after another: the elements between successive offsets. */
export const viewsOf = (region: Region<Float32Array>, offsets: readonly number[]): Float32Array[] =>
  offsets.slice(1).map((end, i) => region.view.subarray(offsets[i], end));

/** Where each of some lengths begins, and in the end their sum. */
export const offsetsOf = (lengths: readonly number[]): number[] => {
  const offsets = [0];
  for (const length of lengths) offsets.push(offsets[offsets.length - 1] + length);
  return offsets;
};

/** Makes sums over the batch means. */
export const divide = (sums: Float32Array, batch: number): void => {
  for (let i = 0; i < sums.length; i++) sums[i] /= batch;
};
