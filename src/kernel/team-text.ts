/**
 * Words of a team's board, a run of i32 in shared memory. `claim` is a turn's number in the upper bits and the calls of it that nobody has
 * taken yet in the lower eight; `done` counts calls carried out, `failed` those that threw, `ready` the workers that listen.
 */
export const board = { claim: 0, done: 1, failed: 2, ready: 3, words: 4 };

/** Calls of one turn at most, and doubles of each: kernel, number of arguments, these, and last the result. */
export const mostCalls = 64;
export const callDoubles = 24;

/** Looks at the board for so long before a thread goes to sleep on it: some ten microseconds. */
export const looks = 4000;

/**
 * The program of a worker of a team, as text (see `workerText`). A message brings module, memory and where board and calls lie; from then on the worker
 * takes calls off the board and sleeps on it where there are none, until it is ended.
 */
export const teamText = `
const serve = ({ module, memory, address, calls, names }) => {
  const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports;
  const list = names.map((name) => kernels[name]);
  const words = new Int32Array(memory.buffer, address, ${board.words});
  const slots = new Float64Array(memory.buffer, calls, ${mostCalls * callDoubles});
  Atomics.add(words, ${board.ready}, 1);
  let looked = 0;
  for (;;) {
    const claim = Atomics.load(words, ${board.claim});
    if ((claim & 255) === 0) {
      if (++looked > ${looks}) Atomics.wait(words, ${board.claim}, claim);
      continue;
    }
    looked = 0;
    if (Atomics.compareExchange(words, ${board.claim}, claim, claim - 1) !== claim) continue;
    const at = ${callDoubles} * ((claim & 255) - 1);
    try {
      slots[at + ${callDoubles - 1}] = list[slots[at]](...slots.subarray(at + 2, at + 2 + slots[at + 1])) ?? 0;
    } catch {
      Atomics.add(words, ${board.failed}, 1);
    }
    Atomics.add(words, ${board.done}, 1);
    Atomics.notify(words, ${board.done});
  }
};
listen(serve);
`;
