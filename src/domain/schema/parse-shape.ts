import * as v from 'valibot';
import { InputError } from '../input-error.js';
import { nearest } from '../nearest.js';

type Shape = v.GenericSchema;

/** A deep-frozen copy of `input`, or an `InputError` for the most telling thing that is wrong with its form. */
export const parseShape = <S extends Shape>(shape: S, input: unknown, subject: string): v.InferOutput<S> => {
  const result = v.safeParse(shape, input);
  if (result.success) return deepFreeze(result.output);
  // A misspelt key is also a missing key: name the misspelling.
  const issues = result.issues as readonly v.BaseIssue<unknown>[];
  const issue = issues.find((candidate) => isUnknownKey(candidate)) ?? issues[0];
  throw new InputError(`${subject}: ${describe(issue, input, shape)}`);
};

const isUnknownKey = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never';

const describe = (issue: v.BaseIssue<unknown>, input: unknown, shape: Shape): string => {
  const path = (issue.path ?? []).map((item) => item.key as string | number);
  if (isUnknownKey(issue)) {
    const where = path.slice(0, -1);
    const key = String(path[path.length - 1]);
    const known = knownKeys(shape, input, where);
    const guess = nearest(key, known);
    const hint =
      guess === undefined ? `the keys here are ${known.join(', ')}` : `did you mean ${JSON.stringify(guess)}?`;
    return `${place(where, input)}unknown key ${JSON.stringify(key)}; ${hint}`;
  }
  if (issue.type === 'strict_object' && path.length > 0 && issue.received === 'undefined') {
    return `${place(path.slice(0, -1), input)}\`${path[path.length - 1]}\` is missing`;
  }
  return `${place(path, input)}must be ${expectation(issue)}, got ${shown(issue.input)}`;
};

/** The path as a reader would say it: an attribute is called by its name when it has one. */
const place = (path: readonly (string | number)[], input: unknown): string => {
  let at = input;
  let words = '';
  for (const [depth, key] of path.entries()) {
    at = isRecord(at) || Array.isArray(at) ? (at as Record<string | number, unknown>)[key] : undefined;
    if (
      typeof key === 'number' &&
      depth === 1 &&
      path[0] === 'attributes' &&
      isRecord(at) &&
      typeof at.name === 'string'
    ) {
      words = `attribute ${JSON.stringify(at.name)}`;
    } else if (typeof key === 'number') words += `[${key}]`;
    else if (words.startsWith('attribute ')) words += words.endsWith('"') ? `: ${key}` : `.${key}`;
    else words += words === '' ? key : `.${key}`;
  }
  return words === '' ? '' : `${words}: `;
};

const expectation = (issue: v.BaseIssue<unknown>): string => {
  switch (issue.type) {
    case 'string':
      return 'a text in quotes';
    case 'number':
      return 'a number';
    case 'finite':
      return 'a finite number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'strict_object':
      return 'an object';
    case 'safe_integer':
      return 'a whole number';
    case 'min_value':
      return `at least ${issue.requirement}`;
    case 'min_length':
      return `a list of at least ${issue.requirement}`;
    case 'non_empty':
      return Array.isArray(issue.input) ? 'a list of at least one' : 'a text that is not empty';
    case 'regex':
      return issue.message;
    default:
      return String(issue.expected).replaceAll(' | ', ' or ').replaceAll(/[()]/g, '');
  }
};

const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  // Written out only where it is short by nature: a list may be of any length and depth.
  if (typeof value === 'object' && value !== null) {
    const parts = Object.keys(value).length;
    if (parts > 0) return Array.isArray(value) ? `a list of ${parts}` : `an object with ${parts} keys`;
  }
  const json = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
};

/** The keys that an object at a place of the format may have; a variant is chosen by its tag where the tag is known. */
const knownKeys = (shape: Shape, input: unknown, path: readonly (string | number)[]): string[] => {
  let at: unknown = input;
  let here: unknown = shape;
  for (const key of path) {
    const entries = entriesOf(here, at);
    at = (at as Record<string | number, unknown>)[key];
    here = typeof key === 'number' ? itemOf(here) : (unwrap(here).value ?? entries[key]);
  }
  return Object.keys(entriesOf(here, at));
};

interface Node {
  readonly type?: string | undefined;
  readonly entries?: Readonly<Record<string, Shape>> | undefined;
  readonly item?: Shape | undefined;
  /** Of a record: what each of its keys holds. */
  readonly value?: Shape | undefined;
  readonly wrapped?: Shape | undefined;
  readonly key?: string | undefined;
  readonly options?: readonly Shape[] | undefined;
}

const unwrap = (shape: unknown): Node => {
  const node = shape as Node;
  return node.wrapped === undefined ? node : unwrap(node.wrapped);
};

const itemOf = (shape: unknown): unknown => unwrap(shape).item;

const entriesOf = (shape: unknown, input: unknown): Readonly<Record<string, Shape>> => {
  const node = unwrap(shape);
  if (node.options === undefined) return node.entries ?? {};
  const tag = (input as Record<string, unknown>)[node.key!];
  const options = node.options.map((option) => unwrap(option).entries ?? {});
  return options.find((entries) => v.is(entries[node.key!], tag)) ?? Object.assign({}, ...options);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const deepFreeze = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
};
