import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { connect, Failure, Refusal, Stopped, serve } from './channel.js';

const jobs = {
  secret: async (_: object) => {
    throw new TypeError('cannot read "SECRET 42"');
  },
  refused: async (_: object) => {
    throw new Error('choose another');
  },
  long: async (_: object, { signal }: { signal?: AbortSignal | undefined }) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
};

const connected = async <T>(work: (calls: ReturnType<typeof connect<typeof jobs>>) => Promise<T>): Promise<T> => {
  const { port1, port2 } = new MessageChannel();
  const port = (own: typeof port1) => ({
    postMessage: (message: unknown) => own.postMessage(message),
    addEventListener: (type: 'message' | 'error', listener: (event: MessageEvent) => void) =>
      void own.on(type, (data) => listener({ data } as MessageEvent)),
  });
  serve(jobs, port(port1), (error) => (error instanceof TypeError ? undefined : (error as Error).message));
  try {
    return await work(connect<typeof jobs>(port(port2)));
  } finally {
    port1.close();
  }
};

const thrown = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('nothing'),
    (error: Error) => error,
  );

it('tells the page the kind of an unexpected error and nothing that it says, which may be a private value', async () => {
  const error = await connected((calls) => thrown(calls.secret({})));
  expect(error).toBeInstanceOf(Failure);
  expect(error.message).toBe('TypeError');
});

it('brings what a person can put right as its sentence, and what was stopped as that', async () => {
  const refused = await connected((calls) => thrown(calls.refused({})));
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused.message).toBe('choose another');
  const stopped = await connected((calls) => {
    const controller = new AbortController();
    const running = thrown(calls.long({}, { signal: controller.signal }));
    controller.abort();
    return running;
  });
  expect(stopped).toBeInstanceOf(Stopped);
});

it('lets nobody wait for a worker that could not be started or died, and goes on with one that lives', async () => {
  const heard: Record<string, (event: MessageEvent) => void> = {};
  const calls = connect<typeof jobs>({
    postMessage: () => {},
    addEventListener: (type: 'message' | 'error', listener: (event: MessageEvent) => void) => {
      heard[type] = listener;
    },
  });
  const fail = (): void => heard.error({} as MessageEvent);
  const waiting = thrown(calls.long({}));
  heard.message({ data: { id: 99, answer: undefined } } as MessageEvent);
  fail();
  expect(await waiting).toBeInstanceOf(Failure);
  const later = calls.refused({});
  heard.message({ data: { id: 2, answer: 'alive' } } as MessageEvent);
  expect(await later).toBe('alive');
});

it('says at once that a worker never started', async () => {
  let fail = (): void => {};
  const calls = connect<typeof jobs>({
    postMessage: () => {},
    addEventListener: (type: 'message' | 'error', listener: (event: MessageEvent) => void) => {
      if (type === 'error') fail = () => listener({} as MessageEvent);
    },
  });
  const first = thrown(calls.secret({}));
  fail();
  expect(await first).toBeInstanceOf(Failure);
  expect(await thrown(calls.secret({}))).toBeInstanceOf(Failure);
});
