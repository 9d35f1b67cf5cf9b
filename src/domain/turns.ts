import type { Running } from './running.js';

/** Milliseconds that work goes on before events are let through: a small part of the second within which a signal takes effect. */
const longest = 50;

/**
 * To be awaited in a long loop: lets timers and input through every 50 ms, and rejects when the signal has aborted. A loop that
 * never waits for anything would otherwise hear neither Ctrl-C nor an abort from code.
 */
export const eventYielder = (signal: AbortSignal | undefined): (() => Promise<void>) => {
  let heard = Date.now();
  return async () => {
    signal?.throwIfAborted();
    if (Date.now() - heard < longest) return;
    await new Promise((resolve) => setTimeout(resolve));
    heard = Date.now();
    signal?.throwIfAborted();
  };
};

/** Work that may be interrupted wherever it yields, every few milliseconds or oftener, and that returns what comes of it. */
export type Turns<T> = Generator<void, T, void>;

/** All turns one after the other, for whoever cannot wait. */
export const atOnce = <T>(turns: Turns<T>): T => {
  for (;;) {
    const turn = turns.next();
    if (turn.done) return turn.value;
  }
};

/** All turns with events between them; rejects with the signal's reason before the next turn once it has aborted. */
export const inTurns = async <T>(turns: Turns<T>, { signal }: Pick<Running, 'signal'>): Promise<T> => {
  const yieldToEvents = eventYielder(signal);
  for (;;) {
    await yieldToEvents();
    const turn = turns.next();
    if (turn.done) return turn.value;
  }
};

/** The values of a list, made one a turn. */
export function* eachInTurn<T, R>(list: Iterable<T>, make: (each: T) => R): Turns<R[]> {
  const made: R[] = [];
  for (const each of list) {
    made.push(make(each));
    yield;
  }
  return made;
}
