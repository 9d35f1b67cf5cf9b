import { limits } from '../domain/limits.js';
import type { Answering } from './model.js';

/**
 * A list of models that are made when they are first looked at. Those looked at last are held, up to `limits.heldBytes`; others are made again
 * when they are wanted again. So a list may be longer than memory, and a short one is made once.
 */
export const heldList = (length: number, make: (k: number) => Answering): readonly Answering[] => {
  const held = new Map<number, { readonly model: Answering; readonly bytes: number }>();
  let bytes = 0;
  const at = (k: number): Answering => {
    const known = held.get(k);
    held.delete(k);
    const entry = known ?? sized(make(k));
    if (known === undefined) bytes += entry.bytes;
    held.set(k, entry);
    for (const [old, { bytes: freed }] of held) {
      if (bytes <= limits.heldBytes || old === k) break;
      held.delete(old);
      bytes -= freed;
    }
    return entry.model;
  };
  const list: Answering[] = [];
  for (let k = 0; k < length; k++) Object.defineProperty(list, k, { get: () => at(k), enumerable: true });
  return list;
};

const sized = (model: Answering) => ({ model, bytes: model.cost?.bytes ?? 0 });
