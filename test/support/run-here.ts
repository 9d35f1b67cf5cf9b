import { run } from '../../cli/run.js';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, in a folder: without a process of its own it takes a tenth of the time. */
export const runHere = async (folder: string, ...words: string[]): Promise<Said> => {
  const before = process.cwd();
  let [out, err] = ['', ''];
  process.chdir(folder);
  try {
    const code = await run(words, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      running: { signal: new AbortController().signal },
      isTerminal: false,
      columns: 80,
      colour: false,
      unicode: true,
    });
    return { code, out, err };
  } finally {
    process.chdir(before);
  }
};
