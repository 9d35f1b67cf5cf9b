import { readFile } from 'node:fs/promises';
import { InputError } from '../../src/domain/input-error.js';
import { parseJson } from '../../src/domain/parse-json.js';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';

/** Reads and checks a schema file; whatever is wrong with it is one sentence that begins with its name. */
export const readSchema = async (file: string): Promise<Schema> => {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'must be a schema file that exists; check the path, or make one with surmise schema',
      EISDIR: 'must be a schema file, got a directory; name the file in it',
      EACCES: 'must be readable; check its permissions',
    };
    throw new InputError(`${file}: ${reasons[error.code ?? ''] ?? 'must be a readable schema file; check the path'}`);
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(`${file}: must be UTF-8 text; save it as UTF-8`);
  }
  let json: unknown;
  try {
    json = parseJson(text, file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: must be JSON, and ${place(text, error)}; correct it, or make it anew`);
  }
  try {
    return parseSchema(json);
  } catch (error) {
    if (error instanceof InputError) throw new InputError(error.message.replace(/^schema: /, `${file}: `));
    throw error;
  }
};

/** Where the syntax breaks, as line and column. */
const place = (text: string, error: unknown): string => {
  const position = /position (\d+)/.exec((error as Error).message)?.[1];
  if (position === undefined) return text.trim() === '' ? 'it is empty' : 'it breaks off at its end';
  const before = text.slice(0, Number(position)).split('\n');
  return `line ${before.length}, column ${before[before.length - 1].length + 1} is not`;
};
