import type { Noise } from '../../privacy/measurement.js';
import { noiseKinds } from '../../privacy/noise/noise-kinds.js';
import { significant } from '../number-text.js';

export const noiseText = ({ kind, scale }: Noise): string => {
  if (kind === 'none') return 'none: public';
  const { name, symbol } = noiseKinds[kind];
  return `${name}, ${symbol}\u00a0=\u00a0${significant(scale)}`;
};
