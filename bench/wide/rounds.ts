import { type Figure, smaller } from '../figures.js';
import { askSide, type Usage } from '../graphical/side.js';

const SEEDS = 3;
const BASE = { budget: { epsilon: 1, delta: 1e-9 }, rows: 50_000, megabytes: 4 };
/** What is done otherwise than by default (two marginals a round, all of 1,830 candidates). */
const WAYS = {
  'one marginal a round, as in the paper': { together: 1 },
  'a quarter of the candidates a round': { looked: 450 },
};

interface Run extends Usage {
  readonly error: number;
  readonly rounds: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What several marginals a round, and looking at a part of the candidates, do to the mean error of all pairs of made tables of 60 attributes. */
export const roundsFigures = (say: (line: string) => void): Figure[] => {
  const ask = (what: string, way: object): Run[] =>
    Array.from({ length: SEEDS }, (_, i) => {
      const run = askSide<Run>('wide', 'our-rounds', { ...BASE, ...way, seed: i + 1 }, 1200);
      if (run === undefined) throw new Error('bench wide: a release of 60 attributes did not end within 20 minutes');
      say(
        `60 attributes, ${what}, seed ${i + 1}: error ${run.error.toFixed(5)}, ${run.rounds} marginals, ${run.processor.toFixed(1)} s of processors`,
      );
      return run;
    });
  const usual = ask('as by default', {});
  return Object.entries(WAYS).flatMap(([what, way]) => {
    const other = ask(what, way);
    const of = (name: string, value: (run: Run) => number, unit: string): Figure =>
      smaller(
        `60 attributes: ${name}, as by default against ${what}`,
        mean(usual.map(value)),
        mean(other.map(value)),
        unit,
      );
    return [
      of('mean error of all pairs', ({ error }) => error, 'L1 / 2n'),
      of('processor time', ({ processor }) => processor, 's'),
    ];
  });
};
