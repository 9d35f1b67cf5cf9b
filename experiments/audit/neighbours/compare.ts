import type { Observation } from './observe.js';

/** Where two runs differ first. */
export interface Difference {
  readonly line: number;
  readonly first: string;
  readonly second: string;
}

const nothing = '(nothing)';

/** The part of two texts around the first place where they differ. */
const around = (one: string, two: string): [string, string] => {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at++;
  const cut = (text: string): string =>
    `${text.slice(0, 60)}${at > 160 ? ' ... ' : ''}${text.slice(Math.max(60, at - 100), at + 200)}`;
  return [cut(one), cut(two)];
};

/** The first difference between what was seen of two runs, or undefined when they are alike to the byte. */
export const compare = (first: Observation, second: Observation): Difference | undefined => {
  const length = Math.max(first.lines.length, second.lines.length);
  for (let line = 0; line < length; line++) {
    const [one = nothing, two = nothing] = [first.lines[line], second.lines[line]];
    if (one === two) continue;
    const [a, b] = around(one, two);
    return { line, first: a, second: b };
  }
  return undefined;
};
