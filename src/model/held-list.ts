import { limits } from '../domain/limits.js';
import type { Running } from '../domain/running.js';
import { atOnce, inTurns, type Turns } from '../domain/turns.js';
import type { Answering } from './model.js';

/** The list, and a way to make those that can be held before they are looked at, in turns. */
export interface HeldList {
  readonly list: readonly Answering[];
  open(running: Pick<Running, 'signal'>): Promise<void>;
}

/**
 * A list of models that are made when they are first looked at and held, up to `limits.heldBytes`; beyond that the one looked at last before goes, and is made
 * again when it is wanted again: lists are gone through from the first to the last, again and again, and so the fewest are made anew. A list may be longer than
 * memory, and a short one is made once.
 */
export const heldList = (length: number, make: (k: number) => Turns<Answering>): HeldList => {
  const held = new Map<number, { readonly model: Answering; readonly bytes: number }>();
  let bytes = 0;
  const take = (k: number, made: Answering): void => {
    held.set(k, { model: made, bytes: made.cost?.bytes ?? 0 });
    bytes += made.cost?.bytes ?? 0;
  };
  const at = (k: number): Answering => {
    if (!held.has(k)) take(k, atOnce(make(k)));
    const entry = held.get(k)!;
    // Last of all, so that it goes next.
    held.delete(k);
    for (const [old, { bytes: freed }] of [...held].reverse()) {
      if (bytes <= limits.heldBytes) break;
      held.delete(old);
      bytes -= freed;
    }
    held.set(k, entry);
    return entry.model;
  };
  const list: Answering[] = [];
  for (let k = 0; k < length; k++) Object.defineProperty(list, k, { get: () => at(k), enumerable: true });
  const open = async (running: Pick<Running, 'signal'>): Promise<void> => {
    for (let k = 0; k < length && bytes < limits.heldBytes; k++)
      if (!held.has(k)) take(k, await inTurns(make(k), running));
  };
  return { list, open };
};
