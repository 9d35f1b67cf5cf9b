import * as v from 'valibot';
import { noiseNames } from './noise-kinds.js';

/** The noise of a measurement, as files have it. */
export const noiseShape = v.strictObject({
  kind: v.picklist([...noiseNames, 'none']),
  scale: v.pipe(v.number(), v.finite(), v.minValue(0)),
});
