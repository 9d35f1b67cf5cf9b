import type { Random } from '../src/random/random.js';
import { judge, type Verdict } from './judge.js';
import { mutateBytes } from './mutate/bytes.js';
import { below, oneOf } from './mutate/mutator.js';
import type { Target } from './target.js';

/** An input that reached something that no earlier one had. */
interface Kept {
  readonly bytes: Uint8Array;
  /** Blocks that it runs. */
  readonly blocks: readonly number[];
}

export interface Finding {
  readonly fault: string;
  readonly detail: string;
  readonly bytes: Uint8Array;
  readonly milliseconds: number;
}

export interface Outcome {
  readonly executions: number;
  readonly taken: number;
  readonly refused: number;
  /** Processor time in seconds. */
  readonly seconds: number;
  /** Blocks reached. */
  readonly blocks: number;
  readonly findings: readonly Finding[];
  readonly slowest: number;
  /** The smallest inputs that reach all that was reached. */
  readonly corpus: readonly Uint8Array[];
}

export interface LoopOptions {
  readonly random: Random;
  /** Processor time in seconds. */
  readonly seconds: number;
  readonly start: readonly Uint8Array[];
  /** Counts of blocks, which instrumented code writes. */
  readonly counters: Uint8Array;
  /** Hears of every input before it is run: it may be the last. */
  readonly onInput?: (bytes: Uint8Array) => void;
}

/** Inputs are kept below this, so that the time goes into many. */
const longest = 64 * 1024;

/** How often a block ran, as AFL tells it: 1, 2, 3, 4-7, 8-15, 16-31, 32-127, more. */
const bucket = (count: number): number =>
  count < 4 ? count - 1 : count < 8 ? 3 : count < 16 ? 4 : count < 32 ? 5 : count < 128 ? 6 : 7;

/**
 * Fuzzing guided by coverage: changes inputs that reached something new, and keeps what reaches something new again. The same seed, corpus and
 * program give the same inputs in the same order; how many fit in the time depends on the machine.
 */
export const fuzz = async (target: Target, options: LoopOptions): Promise<Outcome> => {
  const { random, counters, start } = options;
  const seen = new Uint8Array(counters.length);
  const kept: Kept[] = [];
  const faults = new Map<string, Finding>();
  const tally = { executions: 0, taken: 0, refused: 0, slowest: 0 };
  const begun = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1e6;
  };

  const execute = async (bytes: Uint8Array): Promise<void> => {
    options.onInput?.(bytes);
    counters.fill(0);
    const verdict: Verdict = await judge(target, bytes);
    tally.executions++;
    tally.slowest = Math.max(tally.slowest, verdict.milliseconds);
    if (verdict.outcome !== 'finding') tally[verdict.outcome]++;
    const blocks: number[] = [];
    let isNew = false;
    for (let i = 0; i < counters.length; i++) {
      if (counters[i] === 0) continue;
      blocks.push(i);
      const bit = 1 << bucket(counters[i]);
      if ((seen[i] & bit) === 0) {
        seen[i] |= bit;
        isNew = true;
      }
    }
    if (verdict.fault !== undefined) {
      const known = faults.get(verdict.fault);
      if (known === undefined || bytes.length < known.bytes.length)
        faults.set(verdict.fault, {
          fault: verdict.fault,
          detail: verdict.detail ?? '',
          bytes,
          milliseconds: verdict.milliseconds,
        });
    } else if (isNew) kept.push({ bytes, blocks });
  };

  for (const bytes of start) await execute(bytes);
  while (spent() < options.seconds) {
    // Half of the time from what was found last: there is most to find near it.
    const from = kept.length === 0 ? start : kept.map(({ bytes }) => bytes);
    const parent =
      below(2, random) === 0 ? from[from.length - 1 - below(Math.min(20, from.length), random)] : oneOf(from, random);
    const bytes = changed(target, parent, oneOf(from, random), random);
    if (bytes.length <= longest) await execute(bytes);
    // A turn of the event loop, for what the runtime has to clean up.
    if (tally.executions % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const reached = seen.reduce((sum, bits) => sum + (bits === 0 ? 0 : 1), 0);
  return { ...tally, seconds: spent(), blocks: reached, findings: [...faults.values()], corpus: smallest(kept) };
};

/** A new input, with its seals made anew most of the time. What the formats' own mutators cannot read any more is changed as plain bytes. */
const changed = (target: Target, parent: Uint8Array, other: Uint8Array, random: Random): Uint8Array => {
  try {
    const bytes = target.mutate(parent, other, random);
    return target.repair && below(10, random) < 7 ? target.repair(bytes) : bytes;
  } catch {
    return mutateBytes(parent, other, random);
  }
};

/** Inputs that reach every block that all together do: greedily, the shortest first where they are equally good. */
const smallest = (kept: readonly Kept[]): Uint8Array[] => {
  const missing = new Set(kept.flatMap(({ blocks }) => blocks));
  const chosen: Uint8Array[] = [];
  let left = [...kept].sort((a, b) => a.bytes.length - b.bytes.length);
  while (missing.size > 0) {
    let best = left[0];
    let most = 0;
    for (const input of left) {
      const gain =
        input.blocks.reduce((sum, block) => sum + (missing.has(block) ? 1 : 0), 0) / (200 + input.bytes.length);
      if (gain > most) [best, most] = [input, gain];
    }
    for (const block of best.blocks) missing.delete(block);
    chosen.push(best.bytes);
    left = left.filter((input) => input !== best);
  }
  return chosen;
};
