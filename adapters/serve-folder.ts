import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { InputError } from '../src/domain/input-error.js';

/** A folder that is served to this machine alone. */
export interface ServedFolder {
  /** Where it is, such as http://127.0.0.1:4173/ */
  readonly address: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/** What its pages may do: run their own scripts and threads, share memory with these, and connect to nothing. */
const policy = (connect: string): string =>
  `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; connect-src ${connect}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/**
 * Serves the files of a folder on 127.0.0.1, which no other machine reaches; `port` 0 takes one that is free. The files are those that are there when it
 * begins. A request that calls this machine by another name is refused: a page elsewhere could have been given that name.
 */
export const serveFolder = async (
  folder: string,
  { port = 0 }: { readonly port?: number | undefined } = {},
): Promise<ServedFolder> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map(
    found
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [`/${path.relative(folder, file).split(path.sep).join('/')}`, file]),
  );
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  let hosts: readonly string[] = [];
  const server = createServer(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://here').pathname;
    const file = files.get(name);
    const isKnown = hosts.includes(request.headers.host ?? '');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const size = file === undefined ? undefined : await stat(file).catch(() => undefined);
    if (!isKnown || !isRead || file === undefined || size === undefined) {
      response.writeHead(!isKnown ? 403 : isRead ? 404 : 405, headers).end();
      return;
    }
    // What keeps the pages for days without a network has to fetch them once.
    const connect = name === '/offline.js' ? "'self'" : "'none'";
    response.writeHead(200, {
      ...headers,
      'Content-Security-Policy': policy(connect),
      'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
      'Content-Length': size.size,
    });
    if (request.method === 'HEAD') response.end();
    else
      createReadStream(file)
        .on('error', () => response.destroy())
        .pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new InputError(`port: must be free, and ${port} is not (${error.code}); name another, or none`)),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: own } = server.address() as AddressInfo;
  hosts = [`127.0.0.1:${own}`, `localhost:${own}`];
  return {
    address: `http://127.0.0.1:${own}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
