import { readFile } from 'node:fs/promises';
import type { Hint } from '../src/domain/hint.js';
import { InputError } from '../src/domain/input-error.js';
import { parseJson } from '../src/domain/parse-json.js';
import { withoutComments } from '../src/domain/without-comments.js';

/** A file and the JSON in it. */
export interface JsonFile {
  /** What the file should be, such as `a schema file`. */
  readonly what: string;
  /** What to do when there is none. */
  readonly missing?: Hint | string | undefined;
  /** Whether people write it and may put comments into it. */
  readonly comments?: boolean | undefined;
}

/** Reads a file of JSON; whatever is wrong with it is one sentence that begins with its name. */
export const readJson = async (
  file: string,
  { what, missing = 'check the path', comments = false }: JsonFile,
): Promise<unknown> => {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      const rule = `${file}: must be ${what} that exists`;
      throw typeof missing === 'string' ? new InputError(`${rule}; ${missing}`) : new InputError(rule, missing);
    }
    const reasons: Readonly<Record<string, string>> = {
      EISDIR: `must be ${what}, got a directory; name the file in it`,
      EACCES: 'must be readable; check its permissions',
    };
    throw new InputError(`${file}: ${reasons[error.code ?? ''] ?? `must be ${what} that can be read; check the path`}`);
  });
  return jsonFrom(bytes, file, { comments });
};

/** The JSON in the bytes of a file. */
export const jsonFrom = (bytes: Uint8Array, file: string, { comments = false } = {}): unknown => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${file}: must be UTF-8 text; save it as UTF-8`);
  }
  if (comments) text = withoutComments(text);
  try {
    return parseJson(text, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: must be JSON, and ${place(text, error)}; correct it, or make it anew`);
  }
};

/** Where the syntax breaks, as line and column. */
const place = (text: string, error: unknown): string => {
  const position = /position (\d+)/.exec((error as Error).message)?.[1];
  if (position === undefined) return text.trim() === '' ? 'it is empty' : 'it breaks off at its end';
  const before = text.slice(0, Number(position)).split('\n');
  return `line ${before.length}, column ${before[before.length - 1].length + 1} is not`;
};
