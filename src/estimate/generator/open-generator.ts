import { createNetworkEngine } from '../../kernel/engine.js';
import { createPool } from '../../kernel/pool.js';
import { browserSpawn } from '../../kernel/spawn.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Generator } from './generator.js';
import { checkGenerator, type GeneratorNeeds, pieces, piecesOf, placeGenerator } from './layout.js';
import { forwardCalls } from './network-calls.js';
import { innerColumns } from './network-shape.js';
import { scoring } from './scoring.js';
import { stepping } from './stepping.js';
import { onPieces, type Workplace } from './workplace.js';

/** Where a generator starts: parameters as its shape has them, and the noise vectors, which stay. */
export interface GeneratorStart {
  readonly parameters: Float32Array;
  readonly noise: Float32Array;
}

/** Opens a generator; refuses what kernel memory does not hold. */
export const openGenerator = async (
  needs: GeneratorNeeds,
  start: GeneratorStart,
  { threads = 2, workers = browserSpawn() }: Threads = {},
): Promise<Generator> => {
  checkGenerator(needs);
  const { shape, batch } = needs;
  const lanes = workers === undefined ? 1 : Math.max(1, Math.min(threads, pieces));
  const engine = await createNetworkEngine({ shared: lanes > 1 });
  const pool = createPool(engine, { threads: lanes, spawn: workers });
  const layout = placeGenerator(needs, engine.arena);
  const place: Workplace = { needs, engine, pool, layout, pieces: piecesOf(needs, layout) };
  layout.parameters.view.set(start.parameters);
  for (let row = 0; row < batch; row++) {
    const vector = start.noise.subarray(row * shape.noise, (row + 1) * shape.noise);
    layout.inner.view.set(vector, row * innerColumns(shape));
  }
  return {
    ...needs,
    answers: scoring(place),
    ...stepping(place),
    parameterGradient: () => {
      const { length } = layout.parameters;
      return Float32Array.from({ length }, (_, i) => {
        let sum = 0;
        for (let piece = 0; piece < pieces; piece++) sum += layout.parameterGradients.view[piece * length + i];
        return sum;
      });
    },
    parameters: () => layout.parameters.view.slice(),
    load: (parameters) => layout.parameters.view.set(parameters),
    probabilities: async () => {
      await onPieces(place, (piece) => forwardCalls(shape, layout, piece));
      return layout.probabilities.view.slice();
    },
    close: () => pool.close(),
  };
};
