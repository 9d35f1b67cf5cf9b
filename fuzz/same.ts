import { BrokenLaw } from './target.js';

const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'bigint' ? `${part}n` : ArrayBuffer.isView(part) ? Array.from(part as Uint8Array, String) : part,
  );

/** Two values that must be alike; `law` says why. */
export const same = (a: unknown, b: unknown, law: string): void => {
  if (plain(a) !== plain(b)) throw new BrokenLaw(`broken law: ${law}`);
};
