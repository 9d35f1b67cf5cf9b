import { run } from '../../cli/run.js';
import { fakeIo } from './fake-io.js';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, in a folder: without a process of its own it takes a tenth of the time. */
export const runHere = async (folder: string, ...words: string[]): Promise<Said> => {
  const before = process.cwd();
  const { io, said } = fakeIo();
  process.chdir(folder);
  try {
    return { code: await run(words, io), ...said };
  } finally {
    process.chdir(before);
  }
};
