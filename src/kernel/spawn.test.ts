import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserSpawn } from './spawn.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A worker as Firefox has it: it does not keep itself, whatever it still has to say. */
const platform = (): { readonly workers: readonly WeakRef<object>[]; readonly Worker: new (url: string) => object } => {
  const workers: WeakRef<object>[] = [];
  class Worker {
    constructor() {
      workers.push(new WeakRef(this));
    }
    postMessage(): void {}
    terminate(): void {}
  }
  return { workers, Worker };
};

/** What is not held is gone some turns later: a weak reference that was looked at lives until its turn ends. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
};

afterEach(() => vi.unstubAllGlobals());

describe('browserSpawn', () => {
  it('keeps a worker whose answer is awaited by those alone whom it holds, until it is ended', async () => {
    const { workers, Worker } = platform();
    vi.stubGlobal('Worker', Worker);
    vi.stubGlobal('crossOriginIsolated', true);
    const ask = (): void => {
      const port = browserSpawn()!('');
      // The worker holds its listener, the listener the promise, the promise whoever goes on: nothing else holds any of them.
      void new Promise((resolve, reject) => port.listen(resolve, reject)).then(() => port.terminate());
      port.post('a question');
    };
    const askAndEnd = (): void => browserSpawn()!('').terminate();
    ask();
    askAndEnd();
    await settle();
    expect(workers.map((worker) => worker.deref() !== undefined)).toEqual([true, false]);
  });

  it('starts none where memory cannot be shared', () => {
    vi.stubGlobal('Worker', platform().Worker);
    vi.stubGlobal('crossOriginIsolated', false);
    expect(browserSpawn()).toBeUndefined();
  });

  it('starts none from a worker of Firefox, and those of a page there and of workers elsewhere', () => {
    vi.stubGlobal('Worker', platform().Worker);
    vi.stubGlobal('crossOriginIsolated', true);
    const [firefox, chrome] = ['Gecko/20100101 Firefox/153.0', 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0'];
    const starts = (userAgent: string, scope: object | undefined): boolean => {
      vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${userAgent}` });
      vi.stubGlobal('WorkerGlobalScope', scope);
      return browserSpawn() !== undefined;
    };
    expect(starts(firefox, {})).toBe(false);
    expect(starts(firefox, undefined)).toBe(true);
    expect(starts(chrome, {})).toBe(true);
  });
});
