import type { AttributeSpec } from '../attribute/attribute.js';
import { checkAttribute, checkAttributes } from '../attribute/check-attribute.js';
import { constraintsOf } from '../constraints/constraints-of.js';
import type { Domain } from '../domain.js';
import { domainOf } from '../domain-of.js';
import { checkTableFormat } from '../format/table-format.js';
import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import { nearest } from '../nearest.js';
import { parseShape } from './parse-shape.js';
import type { Schema } from './schema.js';
import { schemaShape } from './schema-shape.js';

/**
 * Reads a schema from parsed JSON and checks it completely. Whatever is unknown, missing or contradicts itself is an
 * `InputError` with one sentence. The result is a deep-frozen copy.
 */
export const parseSchema = (json: unknown): Schema => {
  refuseLearnedMaps(json);
  const { constraints = [], ...rest } = parseShape(schemaShape, json, 'schema');
  for (const [i, given] of constraints.entries()) checkConstraint(given, `schema: constraints[${i}]`);
  const schema = (constraints.length === 0 ? rest : { ...rest, constraints }) as Schema;
  checkSchema(schema);
  constraintsOf(domainFromSchema(schema));
  return Object.freeze(schema);
};

/**
 * The domain of all attributes of a schema. With `twoLevel`, rows are persons and the domain says which attributes are the household's; the number of
 * persons, where `size` names it, comes last.
 */
export const domainFromSchema = (schema: Pick<Schema, 'attributes' | 'twoLevel' | 'constraints'>): Domain => {
  const domain = withoutConstraints(schema);
  const { constraints } = schema;
  return constraints === undefined || constraints.length === 0 ? domain : Object.freeze({ ...domain, constraints });
};

const withoutConstraints = ({ attributes, twoLevel }: Pick<Schema, 'attributes' | 'twoLevel'>): Domain => {
  if (twoLevel === undefined) return domainOf(attributes);
  const { household, maxSize, size } = twoLevel;
  const spec: AttributeSpec[] = size === undefined ? [] : [{ name: size, type: 'integer', min: 1, max: maxSize }];
  const names = size === undefined ? [...household] : [...household, size];
  return Object.freeze({
    ...domainOf([...attributes, ...spec]),
    households: Object.freeze({ attributes: Object.freeze(names), maxSize, size }),
  });
};

/** A map between columns that nobody wrote down is refused with what to do, in the place of a word about its form. */
const refuseLearnedMaps = (json: unknown): void => {
  const { constraints } = (json ?? {}) as { readonly constraints?: unknown };
  if (!Array.isArray(constraints)) return;
  for (const [i, given] of constraints.entries()) {
    const { from, to, map } = (given ?? {}) as Readonly<Record<string, unknown>>;
    if (from === undefined || to === undefined || (map !== undefined && typeof map !== 'string')) continue;
    throw new InputError(
      `schema: constraints[${i}].map: must list what each value gives, got ${map === undefined ? 'none' : JSON.stringify(map)}; write a pair for each value, such as { "A1": "A" }, or "discover" to have a release learn it with noise, for a part of its budget`,
    );
  }
};

/** What each kind of constraint says, key by key. */
const constraintKinds = [['forbid'], ['require'], ['empty', 'where'], ['from', 'to', 'map'], ['of', 'zeros']];
/** What may be said beside it. */
const besides: readonly string[] = ['description', 'unlisted'];

const checkConstraint = (given: Readonly<Record<string, unknown>>, place: string): void => {
  const { unlisted, map } = given;
  if (unlisted !== undefined && map === undefined)
    throw new InputError(`${place}.unlisted: is about a \`map\`, got none; take it out`);
  const keys = Object.keys(given).filter((key) => !besides.includes(key));
  if (constraintKinds.some((kind) => kind.length === keys.length && kind.every((key) => keys.includes(key)))) return;
  const kinds = constraintKinds.map((kind) => kind.map((key) => `\`${key}\``).join(' with ')).join(', ');
  throw new InputError(
    `${place}: must say one thing: ${kinds}, got ${keys.length === 0 ? 'nothing' : keys.map((key) => `\`${key}\``).join(', ')}; write each constraint as an object of its own`,
  );
};

/** Throws an `InputError` when a well-formed schema contradicts itself. */
const checkSchema = (schema: Schema): void => {
  checkAttributes(schema.attributes, 'schema');
  const names = new Set<string>();
  for (const spec of schema.attributes) {
    const subject = `schema: attribute ${JSON.stringify(spec.name)}`;
    if (names.has(spec.name)) throw new InputError(`${subject}: names must differ, got this one twice`);
    names.add(spec.name);
    checkAttribute(spec, subject);
  }
  checkTableFormat(schema.table);
  const { unit, twoLevel } = schema;
  if (unit !== undefined && names.has(unit.id)) {
    throw new InputError(
      `schema: unit.id: an id says who a row belongs to and cannot be an attribute as well, got ${JSON.stringify(unit.id)}; take it out of the attributes`,
    );
  }
  if (twoLevel === undefined) return;
  const fail = (text: string): never => {
    throw new InputError(`schema: twoLevel${text}`);
  };
  if (unit !== undefined) fail(': `unit` and `twoLevel` cannot both be given: households and persons are the units');
  if (names.has(twoLevel.key)) {
    fail(`.key: the key cannot be an attribute as well, got ${JSON.stringify(twoLevel.key)}`);
  }
  if (twoLevel.maxSize > limits.persons) fail(`.maxSize: must be at most ${limits.persons}, got ${twoLevel.maxSize}`);
  if (twoLevel.size !== undefined && (names.has(twoLevel.size) || twoLevel.size === twoLevel.key))
    fail(
      `.size: names an attribute that is made of the rows, got ${JSON.stringify(twoLevel.size)}, which there is already`,
    );
  const household = new Set<string>();
  for (const name of twoLevel.household) {
    if (!names.has(name)) {
      const guess = nearest(name, names);
      fail(
        `.household: must name attributes, got ${JSON.stringify(name)}${guess === undefined ? '' : `; did you mean ${JSON.stringify(guess)}?`}`,
      );
    }
    if (household.has(name)) fail(`.household: names must differ, got ${JSON.stringify(name)} twice`);
    household.add(name);
  }
  if (household.size === names.size) fail('.household: at least one attribute must be left for persons');
};
