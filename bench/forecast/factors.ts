import type { Figure } from '../figures.js';
import type { Factor } from './factor-plot.js';

type What = 'time' | 'processor time' | 'peak memory';

const threadsText = (threads: number): string => (threads === 1 ? 'one thread' : 'two threads');

/** What a figure of the benchmark is called. */
export const figureName = (shape: string, threads: number, what: What): string =>
  `${shape}, ${threadsText(threads)}: ${what}, against its forecast`;

/** The factors of figures, by shape and number of threads, in the order of the figures. */
export const factorsOf = (figures: readonly Figure[]): readonly Factor[] => {
  const taken = new Map(figures.map(({ what, ours, peer }) => [what, ours / peer!]));
  return figures.flatMap(({ what }) => {
    const [, name, count] = /^(.*), (one|two) threads?: time, against its forecast$/.exec(what) ?? [];
    if (name === undefined) return [];
    const threads = count === 'one' ? 1 : 2;
    const of = (kind: What): number => taken.get(figureName(name, threads, kind))!;
    return [{ name, threads, time: of('time'), processor: of('processor time'), memory: of('peak memory') }];
  });
};

/** How far off a factor is, whichever way. */
const off = (factor: number): number => Math.max(factor, 1 / factor);

/** How many factors are within two, and the worst of them, in a sentence. */
export const worstOf = (factors: readonly Factor[]): string =>
  (['time', 'processor', 'memory'] as const)
    .map((kind) => {
      const all = factors.map((factor) => off(factor[kind]));
      return `${kind} within a factor of two for ${all.filter((one) => one <= 2).length} of ${all.length}, worst ${Math.max(...all).toFixed(2)}`;
    })
    .join('; ');
