/** Runs tasks one after the other in the order of their calls, whether those before them succeeded or not. */
export const inTurn = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task);
    last = next.catch(() => undefined);
    return next;
  };
};
