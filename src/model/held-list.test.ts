import { describe, expect, it } from 'vitest';
import { limits } from '../domain/limits.js';
import { heldList } from './held-list.js';
import type { Model } from './model.js';

/** A model that says to hold so many bytes. */
const claiming = (bytes: number): Model => ({ cost: { bytes, visits: 0 } }) as unknown as Model;

describe('heldList', () => {
  it('makes those that can be held before they are looked at, and stops between two once the signal aborts', async () => {
    const made: number[] = [];
    const controller = new AbortController();
    const held = heldList(5, function* (k) {
      yield;
      made.push(k);
      if (made.length === 2) controller.abort(new Error('enough'));
      return claiming(limits.heldBytes / 4);
    });
    await expect(held.open({ signal: controller.signal })).rejects.toThrow('enough');
    expect(made).toEqual([0, 1]);
    await held.open({});
    expect(made).toEqual([0, 1, 2, 3]);
    expect([held.list[1], made.length]).toEqual([held.list[1], 4]);
  });

  it('makes each model once where all fit', () => {
    let made = 0;
    const { list } = heldList(4, function* () {
      yield;
      made++;
      return claiming(limits.heldBytes / 4);
    });
    expect(made).toBe(0);
    expect(list.map((model) => model)).toEqual([...list]);
    expect(list[3]).toBe(list[3]);
    expect([made, list.length]).toEqual([4, 4]);
  });

  it('lets go of the one looked at last before where they do not, and makes it again', () => {
    const made: number[] = [];
    const { list } = heldList(4, function* (k) {
      yield;
      made.push(k);
      return claiming(limits.heldBytes / 2);
    });
    for (const k of [0, 1, 0, 2, 1, 2, 3]) list[k];
    expect(made).toEqual([0, 1, 2, 3]);
    list[0];
    expect(made).toEqual([0, 1, 2, 3, 0]);
  });

  it('makes few anew where a list that does not fit is gone through again and again', () => {
    let made = 0;
    const { list } = heldList(8, function* () {
      yield;
      made++;
      return claiming(limits.heldBytes / 6);
    });
    for (let time = 0; time < 10; time++) for (const model of list) expect(model).toBeDefined();
    // All of them the first time; then those three of eight that have no room beside the one that is looked at.
    expect(made).toBeLessThanOrEqual(8 + 9 * 3);
  });

  it('holds one that is larger than the limit as long as it is the last', () => {
    let made = 0;
    const { list } = heldList(2, function* () {
      yield;
      made++;
      return claiming(2 * limits.heldBytes);
    });
    for (const k of [0, 0, 1, 1, 0]) list[k];
    expect(made).toBe(3);
  });
});
