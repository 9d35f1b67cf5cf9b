import { type ClientHttp2Session, connect } from 'node:http2';

/** A call that ended badly: gRPC's number for it, and what the server said, which is told nobody. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';
  constructor(
    readonly status: number,
    readonly details: string,
  ) {
    super(`gRPC ${status}`);
  }
}

/** A server that could not be reached, or went away. */
export const UNAVAILABLE = 14;

export interface GrpcOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears of every message of the answer. */
  readonly onMessage?: ((message: Uint8Array) => void) | undefined;
}

/** A server that speaks gRPC. */
export interface Grpc {
  /** One call, whose answer is one message or many. */
  call(path: string, message: Uint8Array, options?: GrpcOptions): Promise<void>;
  close(): void;
}

/** Bytes of an answer that may be under way before the server waits to hear that they have come: with the usual 64 KiB counts would wait for the wire again and again. */
const WINDOW = 2 ** 24;

/** A message with five bytes before it: whether it is compressed, and its length. */
const framed = (message: Uint8Array): Buffer => {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  return frame;
};

/** Takes messages out of pieces of a stream, which need not end where messages do. */
export const unframed = (onMessage: (message: Uint8Array) => void): ((piece: Buffer) => void) => {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = 5;
  return (piece) => {
    pieces.push(piece);
    held += piece.length;
    if (held < wanted) return;
    let bytes = Buffer.concat(pieces);
    while (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt32BE(1)) {
      if (bytes[0] !== 0) throw new GrpcError(12, 'compressed');
      const end = 5 + bytes.readUInt32BE(1);
      onMessage(bytes.subarray(5, end));
      bytes = bytes.subarray(end);
    }
    pieces = [bytes];
    held = bytes.length;
    wanted = bytes.length < 5 ? 5 : 5 + bytes.readUInt32BE(1);
  };
};

/** The few rules of gRPC over HTTP/2 that calls of one message need (github.com/grpc/grpc, PROTOCOL-HTTP2). */
export const grpcOver = (target: URL, headers: Readonly<Record<string, string>> = {}): Grpc => {
  let session: ClientHttp2Session | undefined;
  const reached = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(target, { settings: { enablePush: false, initialWindowSize: WINDOW } });
      session.once('connect', (own) => own.setLocalWindowSize(WINDOW));
      // Heard of by the call that needs it.
      session.on('error', () => undefined);
      session.setTimeout(0);
      session.unref();
    }
    return session;
  };
  return {
    call: (path, message, { signal, onMessage = () => undefined } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const current = reached();
        current.ref();
        const stream = current.request({
          ':method': 'POST',
          ':path': path,
          'content-type': 'application/grpc',
          te: 'trailers',
          ...headers,
        });
        let failure: unknown;
        let status: { readonly code: number; readonly details: string } | undefined;
        const hear = (fields: Readonly<Record<string, unknown>>): void => {
          if (fields['grpc-status'] === undefined) return;
          status = { code: Number(fields['grpc-status']), details: String(fields['grpc-message'] ?? '') };
        };
        const stop = (): void => {
          stream.close(8);
        };
        signal?.addEventListener('abort', stop, { once: true });
        const take = unframed(onMessage);
        stream.on('response', (fields) => {
          hear(fields);
          if (fields[':status'] !== 200 && status === undefined)
            status = { code: [502, 503, 504].includes(Number(fields[':status'])) ? UNAVAILABLE : 2, details: '' };
        });
        stream.on('trailers', hear);
        stream.on('data', (piece: Buffer) => {
          if (failure !== undefined) return;
          try {
            take(piece);
          } catch (error) {
            failure = error;
            stop();
          }
        });
        stream.on('error', () => undefined);
        stream.on('close', () => {
          signal?.removeEventListener('abort', stop);
          current.unref();
          if (signal?.aborted) reject(signal.reason);
          else if (failure !== undefined) reject(failure);
          else if (status?.code === 0) resolve();
          else reject(new GrpcError(status?.code ?? UNAVAILABLE, status?.details ?? ''));
        });
        stream.end(framed(message));
      }),
    close: () => session?.close(),
  };
};
