import { readFile } from 'node:fs/promises';
import type { Draft } from '../../src/domain/discover/draft.js';
import { parseDraft, schemaOf } from '../../src/domain/discover/parse-draft.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { withoutComments } from '../../src/domain/without-comments.js';
import { readJson } from '../read-json.js';
import { schemaFaults } from './schema-faults.js';

/** Reads and checks a schema file; whatever is wrong with it is one sentence that begins with its name. One that leaves things to be asked for is refused. */
export const readSchema = async (file: string): Promise<Schema> => {
  const draft = await readDraft(file);
  const schema = schemaOf(draft);
  if (schema === undefined)
    throw new InputError(
      `${file}: must leave nothing to be asked for here, got "discover"; only a release can ask a private table, so declare these columns`,
    );
  return schema;
};

/** The same of a schema that may leave things to be asked for. */
export const readDraft = async (file: string): Promise<Draft> => {
  const json = await readJson(file, { what: 'a schema file', missing: { kind: 'make-schema' }, comments: true });
  try {
    return parseDraft(json);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const faults = schemaFaults(json, withoutComments(await readFile(file, 'utf8')));
    // What is wrong between parts that are right by themselves has no line of its own.
    throw new InputError(
      faults.length === 0
        ? error.message.replace(/^schema: /, `${file}: `)
        : faults.length === 1
          ? `${file}, line ${faults[0].line}: ${faults[0].text}`
          : `${file}: ${faults.length} things are to be put right:\n${faults.map(({ line, text }) => `  line ${line}: ${text}`).join('\n')}`,
    );
  }
};
