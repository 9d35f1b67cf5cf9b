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
    addEventListener: (_: 'message', listener: (event: MessageEvent) => void) =>
      void own.on('message', (data) => listener({ data } as MessageEvent)),
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
