import { passedFrom, passedNumbers } from '../../../src/privacy/discovery/replies.js';
import { seededEntropy } from '../../../src/privacy/entropy.js';
import type { Scores } from '../../../src/privacy/primitives.js';
import { rationalNumber } from '../../../src/privacy/rational.js';
import type { Output, Recording, Tape } from './current-tape.js';

/** Numbers, arrays of numbers and big integers as text, nothing rounded. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, held) => {
    if (typeof held === 'bigint') return `${held}n`;
    if (ArrayBuffer.isView(held)) return Array.from(held as unknown as ArrayLike<number>, exactly);
    if (held instanceof Map || held instanceof Set) return [...held];
    return exactly(held);
  }) ?? 'undefined';

const exactly = (held: unknown): unknown =>
  typeof held === 'number' && (!Number.isFinite(held) || Object.is(held, -0))
    ? Object.is(held, -0)
      ? '-0'
      : String(held)
    : held;

/** Lists one behind the other, each behind its length. */
const splitLists = (flat: Float64Array): Float64Array[] => {
  const lists: Float64Array[] = [];
  for (let at = 0; at < flat.length; at += flat[at] + 1) lists.push(flat.slice(at + 1, at + 1 + flat[at]));
  return lists;
};

/** How many candidates there are is public; how they are put together (scored one by one or not) is as private as the scores. */
const candidatesOf = ({ single, unscored }: Scores): number =>
  unscored.reduce((sum, { times }) => sum + times, single.length);

/** A tape that records with noise from `seed`, or replays what was recorded. */
export const openTape = (seed: number, recording?: Recording): Tape => {
  const lines: string[] = [];
  const outputs: Output[] = [];
  const generators: { readonly seed: number; words: number }[] = [];

  const give = (asked: Record<string, unknown>, draw: () => Output): Output => {
    tape.see('primitive', asked);
    tape.onMoment?.();
    const place = outputs.length;
    if (recording !== undefined && place >= recording.length)
      throw new Error(`replay: the neighbour asks for output ${place + 1}, and there were ${recording.length}`);
    const output = recording === undefined ? draw() : recording[place];
    outputs.push(typeof output === 'number' ? output : output.slice());
    return typeof output === 'number' ? output : output.slice();
  };

  const tape: Tape = {
    lines,
    outputs,
    see: (what, value) => {
      lines.push(value === undefined ? what : `${what} ${textOf(value)}`);
    },
    entropy: seededEntropy(seed),
    over: (real) => ({
      addNoise: (kind, counts, scale) => {
        const asked = { kind, length: counts.length, scale };
        return give(asked, () => real.addNoise(kind, counts, scale)) as Float64Array;
      },
      contrasts: (counts, sizes, sigmaSquared) => {
        const asked = { kind: 'contrasts', length: counts.length, sizes, sigmaSquared };
        return give(asked, () => real.contrasts(counts, sizes, sigmaSquared)) as Float64Array;
      },
      choose: (mechanism, scores, sensitivity, epsilon) => {
        const asked = {
          kind: mechanism,
          candidates: candidatesOf(scores),
          sensitivity,
          epsilon: rationalNumber(epsilon),
        };
        return give(asked, () => real.choose(mechanism, scores, sensitivity, epsilon)) as number;
      },
      draw: (scores, sensitivity, epsilon, draws) => {
        const asked = {
          kind: 'draws',
          candidates: scores.length,
          sensitivity,
          epsilon: rationalNumber(epsilon),
          draws,
        };
        return give(asked, () => real.draw(scores, sensitivity, epsilon, draws)) as Float64Array;
      },
      // How many values there are, and which, is private: what passes is all that leaves.
      passer: (sigmaSquared, threshold) => {
        const passer = real.passer(sigmaSquared, threshold);
        return {
          offer: passer.offer,
          finish: () => {
            const asked = { kind: 'passer', sigmaSquared, threshold };
            const flat = give(asked, () =>
              Float64Array.from(passedNumbers(passer.finish()).flatMap((own) => [own.length, ...own])),
            );
            return passedFrom(splitLists(flat as Float64Array));
          },
        };
      },
    }),
    counted: (from, uint32) => {
      const generator = { seed: from, words: 0 };
      generators.push(generator);
      return () => {
        generator.words++;
        return uint32();
      };
    },
    end: () => {
      tape.see('generators', generators);
      tape.see('outputs asked for', outputs.length);
    },
  };
  return tape;
};
