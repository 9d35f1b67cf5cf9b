import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * The one place that says what may differ between two runs for reasons that have nothing to do with the table: the time of day,
 * nonces, seeds that nobody chose, and random names. While a run is pinned they are the same every time, so what is left to
 * differ is a leak. Each length of a request has a stream of its own: how many 64 KiB blocks of entropy the dropping of rows
 * takes depends on the rows, and must not move the nonces.
 */

const clock = Date.UTC(2026, 0, 1);

/** Fills arrays from the key stream of a cipher whose key is the seed and the length asked for. */
const pinnedBytes = (seed: number) => {
  const streams = new Map<number, ReturnType<typeof crypto.createCipheriv>>();
  return (target: Uint8Array): void => {
    const { length } = target;
    let stream = streams.get(length);
    if (stream === undefined) {
      const key = crypto.createHash('sha256').update(`${seed}:${length}`).digest();
      stream = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
      streams.set(length, stream);
    }
    target.set(stream.update(Buffer.alloc(length)));
  };
};

/** Runs `work` with the clock and the system's randomness pinned to `seed`, and puts both back. */
export const pinned = async <T>(seed: number, work: () => Promise<T>): Promise<T> => {
  const fill = pinnedBytes(seed);
  const RealDate = globalThis.Date;
  const { randomUUID, randomBytes } = crypto;
  const uuid = (): ReturnType<typeof randomUUID> => {
    const bytes = new Uint8Array(17);
    fill(bytes);
    const hex = Buffer.from(bytes.subarray(0, 16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const getRandomValues = <A extends NodeJS.ArrayBufferView | null>(array: A): A => {
    if (array !== null) fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  };
  class PinnedDate extends RealDate {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [clock] : given) as [number]));
    }
  }
  globalThis.Date = PinnedDate as DateConstructor;
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: getRandomValues, configurable: true });
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: uuid, configurable: true });
  const bytesOf = (size: number): Buffer => {
    const bytes = Buffer.alloc(size);
    fill(bytes);
    return bytes;
  };
  Object.assign(crypto, { randomUUID: uuid, randomBytes: bytesOf });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
    for (const name of ['getRandomValues', 'randomUUID']) Reflect.deleteProperty(globalThis.crypto, name);
    Object.assign(crypto, { randomUUID, randomBytes });
    syncBuiltinESMExports();
  }
};
