import * as v from 'valibot';
import { noiseShape } from '../privacy/noise/noise-shape.js';
import { querySchema } from '../query/parse-query.js';
import type { Query } from '../query/query.js';

/** Parts that the JSON of a release and of an estimate share. */
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What was measured, in the order of the file of their values. */
export const measuredShape = v.array(
  v.strictObject({
    query: v.pipe(
      querySchema,
      v.transform((query): Query => query),
    ),
    noise: noiseShape,
  }),
);
