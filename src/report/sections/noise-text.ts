import type { Noise } from '../../privacy/measurement.js';
import { significant } from '../number-text.js';

export const noiseText = ({ kind, scale }: Noise): string => {
  if (kind === 'none') return 'none: public';
  return kind === 'gaussian'
    ? `Gaussian, σ\u00a0=\u00a0${significant(scale)}`
    : `Laplace, b\u00a0=\u00a0${significant(scale)}`;
};
