import type { KernelCall } from './kernels.js';

/**
 * The program of a worker, as text, so that it needs no file of its own under any bundler. Whoever starts it puts two
 * functions before it: `send(message)` and `listen(listener)`. The first message brings the module and the memory, each
 * later one a list of kernel calls, answered by their results.
 */
export const workerText = `
let kernels;
const run = ({ names, numbers }) => {
  const results = [];
  for (let at = 0; at < numbers.length; ) {
    const end = at + 2 + numbers[at + 1];
    results.push(kernels[names[numbers[at]]](...numbers.subarray(at + 2, end)) ?? 0);
    at = end;
  }
  return results;
};
listen((message) => {
  if (message.module) {
    kernels = new WebAssembly.Instance(message.module, { env: { memory: message.memory } }).exports;
    return;
  }
  try {
    send({ results: run(message) });
  } catch (error) {
    send({ error: String(error) });
  }
});
`;

/** Calls as a worker takes them: kernel names, and for each call its name's place, the number of arguments and these. */
export const encodeCalls = (calls: readonly KernelCall[]): { names: string[]; numbers: Float64Array } => {
  const names = [...new Set(calls.map(([name]) => name))];
  const numbers = new Float64Array(calls.reduce((length, call) => length + 1 + call.length, 0));
  let at = 0;
  for (const [name, ...args] of calls) {
    numbers[at++] = names.indexOf(name);
    numbers[at++] = args.length;
    for (const arg of args) numbers[at++] = arg;
  }
  return { names, numbers };
};
