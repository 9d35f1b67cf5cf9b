// The kernels of networks: a module of their own as well, built with fused multiplications and additions (madd.ts), which what is counted
// or compared bit by bit must not have.
export * from './clear';
export { gemm } from './gemm';
export * from './dense';
export * from './heads';
export * from './slots';
