import { InputError } from '../../src/domain/input-error.js';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { readJson } from '../read-json.js';

/** Reads and checks a schema file; whatever is wrong with it is one sentence that begins with its name. */
export const readSchema = async (file: string): Promise<Schema> => {
  const json = await readJson(file, { what: 'a schema file', missing: { kind: 'make-schema' } });
  try {
    return parseSchema(json);
  } catch (error) {
    if (error instanceof InputError) throw new InputError(error.message.replace(/^schema: /, `${file}: `));
    throw error;
  }
};
