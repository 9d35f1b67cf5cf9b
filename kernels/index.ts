// Every kernel of the one module. They work on the imported memory alone: pointers are byte offsets, nothing is
// allocated, nothing is kept between calls. src/kernel/kernels.ts is the contract, src/kernel/twin/ the readable reference.
export { clear, sumAxis, count, cellIndex } from './count';
export { scatterAdd, gatherScale, gatherAdd, sumAt, scaleAt } from './weigh';
export { project, follow } from './project';
export { exp } from './exp';
export { log } from './log';
export { sum, dot, max, min, distance, maxDistance } from './reduce';
export { scale, axpy, multiply } from './vector';
export { multiplyTables, multiplySumTables, sumTables, addTables, peakTables, expSumTables } from './factor';
export { expShift, divide, subtractLogs, fitSquares } from './factor-vector';
