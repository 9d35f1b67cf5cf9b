import type { Tape } from './current-tape.js';

/**
 * The same object with every call written on the tape, its arguments and whether it failed, and the objects that it gives out
 * watched in turn: for ledgers and sources, whose calls an onlooker may see. `results` says which calls' results are written.
 */
export const seenCalls = <T extends object>(
  object: T,
  name: string,
  tape: Tape,
  results: readonly string[] = [],
): T => {
  const watch = (value: unknown, label: string): unknown =>
    typeof value === 'object' && value !== null && Object.values(value).some((member) => typeof member === 'function')
      ? seenCalls(value, label, tape, results)
      : value;
  const copy = {};
  for (const key of Object.keys(object) as (keyof T & string)[]) {
    const member = object[key];
    if (typeof member !== 'function') {
      Object.defineProperty(copy, key, { get: () => object[key], enumerable: true });
      continue;
    }
    const settle = async (result: Promise<unknown>): Promise<unknown> => {
      try {
        const value = await result;
        if (results.includes(key)) tape.see(`${name}.${key} gave`, value);
        return watch(value, `${name}.${key}`);
      } catch (error) {
        tape.see(`${name}.${key} failed`, String(error));
        throw error;
      }
    };
    const call = (...given: unknown[]): unknown => {
      const plain = given.map((argument) =>
        typeof argument === 'object' && argument !== null && 'signal' in argument ? '(running)' : argument,
      );
      tape.see(`${name}.${key}`, plain);
      tape.onMoment?.();
      const result: unknown = member.apply(object, given);
      return result instanceof Promise ? settle(result) : result;
    };
    Object.defineProperty(copy, key, { value: call, enumerable: true });
  }
  return copy as T;
};
