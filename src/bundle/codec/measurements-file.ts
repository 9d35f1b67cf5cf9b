import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Measurement, Noise } from '../../privacy/measurement.js';
import { answerSize } from '../../query/answer.js';
import type { Query } from '../../query/query.js';
import { readContainer, writeContainer } from './binary-container.js';

/** What was measured and how, without the values. */
export interface Measured {
  readonly query: Query;
  readonly noise: Noise;
}

/**
 * The noisy values of all measurements, one after the other in their order, as one array: 32-bit integers where all
 * fit, doubles otherwise.
 */
export const writeMeasurements = (measurements: readonly Measurement[]): Uint8Array<ArrayBuffer> => {
  const length = measurements.reduce((sum, { values }) => sum + values.length, 0);
  const values = new Float64Array(length);
  let at = 0;
  for (const measurement of measurements) {
    values.set(measurement.values, at);
    at += measurement.values.length;
  }
  const integers = Int32Array.from(values);
  const narrow = values.every((value, i) => Object.is(value, integers[i]));
  return writeContainer({ kind: 'measurements', meta: {}, arrays: { values: narrow ? integers : values } });
};

/** Puts the values back to what was measured; `name` is for messages. */
export const readMeasurements = (
  bytes: Uint8Array,
  measured: readonly Measured[],
  domain: Domain,
  name: string,
): Measurement[] => {
  const { kind, arrays } = readContainer(bytes, name);
  const sizes = measured.map(({ query }) => answerSize(query, domain));
  const length = sizes.reduce((sum, size) => sum + size, 0);
  const { values } = arrays;
  if (
    kind !== 'measurements' ||
    !(values instanceof Int32Array || values instanceof Float64Array) ||
    values.length !== length
  )
    throw new InputError(
      `${name}: must hold the ${length} values that bundle.json describes, got ${values?.length ?? 'none'}; restore it from a copy`,
    );
  if (!values.every(Number.isFinite))
    throw new InputError(`${name}: values must be finite numbers, got others; restore it from a copy`);
  let at = 0;
  return measured.map(({ query, noise }, i) => {
    const own = Float64Array.from(values.subarray(at, at + sizes[i]));
    at += sizes[i];
    return { query, noise, values: own };
  });
};
