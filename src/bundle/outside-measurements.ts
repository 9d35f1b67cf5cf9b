import * as v from 'valibot';
import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import type { Measurement } from '../privacy/measurement.js';
import { noiseNames } from '../privacy/noise/noise-kinds.js';
import { answerShape } from '../query/answer.js';
import { describeQuery } from '../query/describe-query.js';
import { parseShape, querySchema } from '../query/parse-query.js';
import type { Query } from '../query/query.js';

/** Noisy answers that another system measured, and the number of records where that is public. */
export interface OutsideMeasurements {
  readonly measurements: readonly Measurement[];
  readonly total?: number | undefined;
}

const noise = v.variant('kind', [
  v.strictObject({
    kind: v.picklist(noiseNames),
    scale: v.pipe(v.number(), v.finite(), v.gtValue(0)),
  }),
  v.strictObject({ kind: v.literal('none'), scale: v.optional(v.literal(0), 0) }),
]);
const shape = v.strictObject({
  total: v.exactOptional(v.pipe(v.number(), v.finite(), v.gtValue(0))),
  measurements: v.pipe(
    v.array(
      v.strictObject({
        attributes: v.exactOptional(v.array(v.string())),
        query: v.exactOptional(querySchema),
        values: v.unknown(),
        noise,
      }),
    ),
    v.minLength(1),
  ),
});

/**
 * Reads `{ "total": n, "measurements": [{ "attributes": [...], "values": [...], "noise": { "kind", "scale" } }, ...] }`, where
 * an entry may have a `query` instead of attributes. Values are counts, row-major over the schema's cells in the order of the
 * attributes, flat or nested by attribute. `name` is the file's, for messages.
 */
export const parseOutsideMeasurements = (json: unknown, domain: Domain, name: string): OutsideMeasurements => {
  const { total, measurements } = parseShape(shape, json, name);
  return {
    total,
    measurements: measurements.map((entry, index) => {
      const at = `${name} measurements.${index}`;
      const { attributes } = entry;
      if ((attributes === undefined) === (entry.query === undefined))
        throw new InputError(
          `${at}: must have attributes or a query, got ${attributes === undefined ? 'neither' : 'both'}`,
        );
      const query: Query = attributes === undefined ? (entry.query as Query) : { kind: 'marginal', attributes };
      let sizes: number[];
      try {
        sizes = answerShape(query, domain);
      } catch (error) {
        if (error instanceof InputError || error instanceof RangeError) throw new InputError(`${at}: ${error.message}`);
        throw error;
      }
      return { query, noise: entry.noise, values: valuesOf(entry.values, sizes, `${at} (${describeQuery(query)})`) };
    }),
  };
};

/** Flat or nested numbers of these sizes, as one array. */
const valuesOf = (given: unknown, sizes: readonly number[], at: string): Float64Array => {
  const cells = sizes.reduce((product, size) => product * size, 1);
  const nested = Array.isArray(given) && given.some((part) => Array.isArray(part));
  const levels = nested ? sizes : [cells];
  const values: number[] = [];
  const walk = (part: unknown, level: number): void => {
    if (level === levels.length) {
      if (typeof part !== 'number' || !Number.isFinite(part))
        throw new InputError(
          `${at}: a value must be a finite number, got ${typeof part === 'object' && part !== null ? 'a list or an object' : (JSON.stringify(part)?.slice(0, 60) ?? 'none')}`,
        );
      values.push(part);
      return;
    }
    if (!Array.isArray(part) || part.length !== levels[level])
      throw new InputError(
        `${at}: must have ${nested ? `${levels[level]} values for each list at depth ${level + 1}` : `${cells} values (${sizes.join(' x ') || 'one cell'})`}, got ${Array.isArray(part) ? part.length : 'none'}; the schema fixes the cells`,
      );
    for (const element of part) walk(element, level + 1);
  };
  walk(given, 0);
  return Float64Array.from(values);
};
