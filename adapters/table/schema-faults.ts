import { parseDraft } from '../../src/domain/discover/parse-draft.js';
import { InputError } from '../../src/domain/input-error.js';
import { limits } from '../../src/domain/limits.js';

/** A fault of a schema, and the line on which what is wrong begins. */
export interface Fault {
  readonly line: number;
  readonly text: string;
}

type Place = readonly (string | number)[];

/** The line on which the value at a place of JSON begins: found by reading it once more, since `JSON.parse` does not say. */
export const lineOf = (text: string, place: Place): number => {
  let at = 0;
  const skip = (): void => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const word = (): string => {
    const from = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return JSON.parse(text.slice(from, ++at)) as string;
  };
  /** Goes behind a value; the answer is where the one at the place begins, if it is inside. */
  const value = (rest: Place | undefined): number | undefined => {
    skip();
    const start = at;
    let found = rest?.length === 0 ? start : undefined;
    const inside = (key: string | number): Place | undefined =>
      rest !== undefined && rest.length > 0 && rest[0] === key ? rest.slice(1) : undefined;
    if (text[at] === '"') word();
    else if (text[at] === '{' || text[at] === '[') {
      const end = text[at++] === '{' ? '}' : ']';
      for (let i = 0; ; i++) {
        skip();
        if (text[at] === ',') at++;
        skip();
        if (text[at] === end) break;
        let key: string | number = i;
        if (end === '}') {
          key = word();
          skip();
          at++;
        }
        found = value(inside(key)) ?? found;
      }
      at++;
    } else while (at < text.length && !/[\s,\]}]/.test(text[at])) at++;
    return found;
  };
  return text.slice(0, value(place) ?? 0).split('\n').length;
};

const isRecord = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** An attribute that nothing is wrong with. */
const standIn = { name: 'a', type: 'boolean' };
const frame = { surmise: 1, origin: { kind: 'declared' } };

/**
 * Everything that is wrong with a schema, in the order of its lines: each attribute judged by itself, then each other part beside attributes that are right,
 * each constraint alone. Parts that speak of attributes wait until these are right.
 */
export const schemaFaults = (json: unknown, text: string): Fault[] => {
  if (!isRecord(json)) return [];
  const faults: Fault[] = [];
  const judge = (schema: unknown, place: Place): void => {
    try {
      parseDraft(schema);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      faults.push({ line: lineOf(text, place), text: error.message.replace(/^schema: /, '') });
    }
  };
  const { attributes, constraints, ...others } = json;
  if (!Array.isArray(attributes) || attributes.length > limits.attributes) return [];
  for (const [i, attribute] of attributes.entries()) judge({ ...frame, attributes: [attribute] }, ['attributes', i]);
  const areRight = faults.length === 0;
  if (areRight) judge({ ...frame, attributes }, ['attributes']);
  const isWhole = faults.length === 0;
  for (const [key, part] of Object.entries(others))
    if (isWhole || (key !== 'unit' && key !== 'twoLevel'))
      judge({ ...frame, attributes: isWhole ? attributes : [standIn], [key]: part }, [key]);
  if (isWhole && Array.isArray(constraints))
    for (const [i, constraint] of constraints.entries())
      judge({ ...frame, attributes, constraints: [constraint] }, ['constraints', i]);
  return faults.sort((a, b) => a.line - b.line);
};
