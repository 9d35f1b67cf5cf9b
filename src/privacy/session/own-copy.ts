import { InputError } from '../../domain/input-error.js';

/** Deeper than anything that a session is asked. */
const deepest = 12;

/**
 * A copy of plain data that nobody else holds, frozen. Between the moment a call is planned and the moment it is answered
 * other code runs, so whatever a caller hands in is copied at the door, each part of it read once, and only the copy is used.
 * Anything but plain data (objects, lists, texts, numbers) is refused.
 */
export const ownCopy = <T>(value: T, subject: string): T => copy(value, subject, 0) as T;

const copy = (value: unknown, subject: string, depth: number): unknown => {
  if (depth > deepest) throw new InputError(`${subject}: must be plain data, got something nested too deeply`);
  if (value === null || value === undefined) return value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return value;
  if (typeof value !== 'object') throw new InputError(`${subject}: must be plain data, got a ${typeof value}`);
  if (Array.isArray(value)) {
    const { length } = value;
    const list: unknown[] = [];
    for (let i = 0; i < length; i++) list.push(copy(value[i], subject, depth + 1));
    return Object.freeze(list);
  }
  const entries = Object.keys(value).map((key) => [
    key,
    copy((value as Record<string, unknown>)[key], subject, depth + 1),
  ]);
  return Object.freeze(Object.fromEntries(entries));
};
