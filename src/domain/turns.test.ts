import { describe, expect, it } from 'vitest';
import { atOnce, eachInTurn, eventYielder, inTurns, type Turns } from './turns.js';

function* counting(done: number[], to: number): Turns<number> {
  for (let k = 0; k < to; k++) {
    done.push(k);
    yield;
  }
  return done.length;
}

describe('turns', () => {
  it('give the same at once and with events between them', async () => {
    expect(atOnce(counting([], 5))).toBe(5);
    expect(await inTurns(counting([], 5), {})).toBe(5);
    expect(atOnce(eachInTurn([1, 2, 3], (each) => 2 * each))).toEqual([2, 4, 6]);
  });

  it('stop before the next one once the signal has aborted, with its reason', async () => {
    const done: number[] = [];
    const controller = new AbortController();
    const reason = new Error('enough');
    const turns = eachInTurn([0, 1, 2, 3], (each) => {
      done.push(each);
      if (each === 1) controller.abort(reason);
    });
    await expect(inTurns(turns, { signal: controller.signal })).rejects.toBe(reason);
    expect(done).toEqual([0, 1]);
  });

  it('hear events that are due, however long the loop', async () => {
    let heard = false;
    setTimeout(() => {
      heard = true;
    });
    const yieldToEvents = eventYielder(undefined);
    // Ends by the event alone.
    while (!heard) await yieldToEvents();
    expect(heard).toBe(true);
  });
});
