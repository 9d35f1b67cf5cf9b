import { setFlagsFromString } from 'node:v8';

/**
 * Lets WebAssembly fuse multiplications with additions, as Node 22 and browsers do unasked: Node 20's V8 has the instructions behind a flag.
 * Without them the kernels of networks run as well, a little slower.
 */
export const allowRelaxedSimd = (version: string = process.versions.node): void => {
  if (version.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');
};
