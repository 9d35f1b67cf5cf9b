import type { Running } from '../../domain/running.js';
import { taskCells } from '../../estimate/generator/answer-task.js';
import type { Generator } from '../../estimate/generator/generator.js';
import { type Target, train } from '../../estimate/generator/train.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import type { GeneratorSettings } from './generator-settings.js';

/** Where no query has an error as large, training ends: a proportion. */
const enough = 1e-3;
/** Queries of one step at most. */
const together = 16;

/** Some queries at a time, in a new order every time all have had their turn, as many as a step may have. */
function* turns(targets: readonly Target[], cellsOf: (target: Target) => number, most: number, random: Random) {
  for (;;) {
    let [turn, cells]: [Target[], number] = [[], 0];
    for (const target of shuffle(targets, random)) {
      const own = cellsOf(target);
      if (turn.length > 0 && (turn.length === together || cells + own > most)) {
        yield turn;
        [turn, cells] = [[], 0];
      }
      turn.push(target);
      cells += own;
    }
    if (turn.length > 0) yield turn;
  }
}

/**
 * GEM-Pub (Liu, Vietri, Wu 2021): trains the generator on what is public first, such as the answers of a public table. Free, since nothing private
 * is asked. Adam forgets it.
 */
export const trainOnPublic = async (
  generator: Generator,
  targets: readonly Target[],
  options: Pick<GeneratorSettings, 'publicSteps' | 'rate'> & Running & { readonly random: Random },
): Promise<void> => {
  const { publicSteps, rate, random, signal, onProgress } = options;
  const cellsOf = ({ task }: Target): number => taskCells(generator.tasks[task]);
  let [step, seen, worst] = [0, 0, 0];
  for (const turn of turns(targets, cellsOf, generator.trainCells, random)) {
    if (step === publicSteps) break;
    // Smaller and smaller steps: each goes by a few queries only.
    const smaller = rate * (1 - step / publicSteps);
    const { largest } = await train(generator, turn, { steps: 1, rate: smaller, gamma: 0, loss: 'squares', signal });
    step++;
    [seen, worst] = [seen + turn.length, Math.max(worst, largest)];
    if (seen === targets.length) {
      if (worst < enough) break;
      [seen, worst] = [0, 0];
    }
    onProgress?.({ stage: 'public', done: step, total: publicSteps });
  }
  generator.restart();
};
