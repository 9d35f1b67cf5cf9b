import type { Io } from '../../cli/command.js';

/** What a command said, and an `Io` that remembers it. */
export const fakeIo = (options: Partial<Io> = {}): { readonly io: Io; readonly said: { out: string; err: string } } => {
  const said = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    running: { signal: new AbortController().signal },
    isTerminal: false,
    columns: 80,
    colour: false,
    unicode: true,
    ...options,
  };
  return { io, said };
};
