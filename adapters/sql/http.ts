import { type IncomingMessage, request as plain } from 'node:http';
import { request as encrypted } from 'node:https';
import { InputError } from '../../src/domain/input-error.js';
import { LostConnection } from './connection.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  /** Ends the request, and so the connection. */
  readonly signal?: AbortSignal | undefined;
  /** Hears of the body piece by piece where the answer is good; else it is in `text`. */
  readonly onText?: ((text: string) => void) | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Between signs of life on a connection that waits: a server that is gone without a word is noticed by these. */
const KEEP_ALIVE = 30_000;

/**
 * One request; waits for the answer as long as it takes, since engines count for hours: `fetch` gives up after five minutes. What goes wrong on the way is
 * told by its code, as a `LostConnection` where the server may be back in a moment.
 */
export const httpRequest = (shown: string, url: URL, asked: HttpRequest): Promise<HttpAnswer> =>
  send(url, asked).catch((error: unknown) => {
    asked.signal?.throwIfAborted();
    throw toldOf(shown, error);
  });

const send = (url: URL, { method, headers, body, signal, onText }: HttpRequest): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const begin = url.protocol === 'https:' ? encrypted : plain;
    const request = begin(url, { method, headers, signal }, (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0;
      const listen = status === 200 ? onText : undefined;
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        try {
          if (listen === undefined) text += piece;
          else listen(piece);
        } catch (error) {
          reject(error);
          request.destroy();
        }
      });
      answer.on('end', () => resolve({ status, text }));
      // A body that stops before its end is a lost connection, not an answer.
      answer.on('error', reject);
    });
    request.on('socket', (socket) => socket.setKeepAlive(true, KEEP_ALIVE));
    request.on('error', reject);
    request.end(body);
  });

/** Codes of a network or a server that may be back in a moment. */
const passing =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EAI_AGAIN|HPE_\w+)$/;

const toldOf = (shown: string, error: unknown): unknown => {
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== 'string' || error instanceof LostConnection) return error;
  if (passing.test(code)) return new LostConnection(shown, code);
  if (code === 'ENOTFOUND') return new InputError(`${shown}: there is no such host (${code}); check its name`);
  return new InputError(
    `${shown}: must be reached over a connection that is trusted, got ${code}; name the authority's certificate with NODE_EXTRA_CA_CERTS`,
  );
};

/** Whether a status says that the same request may succeed in a moment: a proxy without its server, or a server with too much to do. */
export const isBusy = (status: number): boolean => [429, 502, 503, 504].includes(status);
