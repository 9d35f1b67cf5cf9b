import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Relation } from '../../../src/query/relation.js';
import { subjects } from './subjects.js';
import type { NeighbourTally } from './tally.js';

export interface NeighboursOptions {
  /** Pairs for each subject and relation. */
  readonly pairs: number;
  /** Parts of the subjects' names, separated by commas. */
  readonly only: string;
  /** Processes at once. */
  readonly lanes?: number;
  readonly onTally?: (tally: NeighbourTally) => void;
  readonly onPair?: (done: number, total: number) => void;
}

const relations: readonly Relation[] = ['add-remove', 'replace-one'];

/** Tallies in the order of their subjects; of one subject and relation the last. */
export const inOrder = (tallies: readonly NeighbourTally[]): NeighbourTally[] => {
  const order = ({ subject, relation }: NeighbourTally): number =>
    2 * subjects.findIndex(({ name }) => name === subject) + relations.indexOf(relation);
  const byOrder = new Map(tallies.map((tally) => [order(tally), tally]));
  return [...byOrder.keys()].sort((a, b) => a - b).map((key) => byOrder.get(key)!);
};

const here = (name: string): URL => new URL(name, import.meta.url);

/** Record and replay for every subject and both relations, in processes in which sessions are on tape. */
export const auditNeighbours = async (options: NeighboursOptions): Promise<NeighbourTally[]> => {
  const { pairs, only, lanes = 2, onTally, onPair } = options;
  const queue = subjects
    .filter(({ name }) => only.split(',').some((part) => name.includes(part)))
    .flatMap(({ name }) => relations.map((relation) => ({ subject: name, relation, pairs })));
  const total = queue.length * pairs;
  const tallies: NeighbourTally[] = [];
  let done = 0;
  const ask = (child: ChildProcess, what: object): Promise<NeighbourTally> =>
    new Promise((resolve, reject) => {
      child.removeAllListeners();
      child.on('message', (message: NeighbourTally | 'pair') => {
        if (message === 'pair') onPair?.(++done, total);
        else resolve(message);
      });
      child.once('exit', (code) => reject(new Error(`neighbours: a process ended with code ${code}`)));
      child.send(what);
    });
  const lane = async (): Promise<void> => {
    const child = fork(fileURLToPath(here('child.js')), { execArgv: ['--import', here('register.js').href] });
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const found = await ask(child, next);
        tallies.push(found);
        onTally?.(found);
      }
    } finally {
      child.removeAllListeners();
      child.disconnect();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return inOrder(tallies);
};
