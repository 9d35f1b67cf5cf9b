// Every kernel of the one module. They work on the imported memory alone: pointers are byte offsets, nothing is
// allocated, nothing is kept between calls. src/kernel/kernels.ts is the contract, src/kernel/twin/ the readable reference.
export * from './network';
export * from './count';
export * from './count-holdings';
export * from './weigh';
export * from './joints';
export * from './project';
export * from './carry';
export { exp } from './exp';
export * from './log';
export { sum, dot, max, min, distance, maxDistance } from './reduce';
export * from './vector';
export * from './factor';
export * from './factor-vector';
export * from './rounds';
