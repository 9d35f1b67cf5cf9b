import { blockSampler, type Law, type Sampler } from './block-sampler.js';

const LIMIT = 64;
const samplers = new Map<string, Sampler | undefined>();

/**
 * `blockSampler`, remembering the laws used last: building one takes a fraction of a millisecond, much longer than noising a
 * small marginal. A remembered sampler holds tables of public numbers only, and draws what a fresh one would.
 */
export const cachedSampler = (law: Law): Sampler | undefined => {
  const key = `${law.square},${law.linear},${law.over}`;
  const known = samplers.has(key);
  const sampler = known ? samplers.get(key) : blockSampler(law);
  // Map keeps the order of insertion, so the first key is the one unused for longest.
  samplers.delete(key);
  samplers.set(key, sampler);
  if (samplers.size > LIMIT) samplers.delete(samplers.keys().next().value as string);
  return sampler;
};
