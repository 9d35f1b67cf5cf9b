/**
 * The program of a worker, as text, so that it needs no file of its own under any bundler. Whoever starts it puts two
 * functions before it: `send(message)` and `listen(listener)`. The first message brings the module and the memory, each
 * later one a list of kernel calls, answered by their results.
 */
export const workerText = `
let kernels;
listen((message) => {
  if (message.module) {
    kernels = new WebAssembly.Instance(message.module, { env: { memory: message.memory } }).exports;
    return;
  }
  try {
    send({ results: message.calls.map(([name, ...args]) => kernels[name](...args) ?? 0) });
  } catch (error) {
    send({ error: String(error) });
  }
});
`;
