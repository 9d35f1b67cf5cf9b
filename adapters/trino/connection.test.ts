import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LostConnection } from '../sql/connection.js';
import { trinoConnection } from './connection.js';

// A coordinator of a few answers: real ones are asked by npm run test:engines.

type Answer = { readonly status?: number; readonly body?: unknown };

/** Answers requests one after the other, and keeps what was asked; the last answer is given again. */
const coordinator = async (...answers: readonly (Answer | 'wait' | 'hang up')[]) => {
  const asked: { readonly line: string; readonly headers: IncomingMessage['headers']; body: string }[] = [];
  let at = 0;
  const server = createServer((request, response) => {
    const heard = { line: `${request.method} ${request.url}`, headers: request.headers, body: '' };
    asked.push(heard);
    request.on('data', (piece: Buffer) => {
      heard.body += piece;
    });
    request.on('end', () => {
      if (request.method === 'DELETE') return response.writeHead(204).end();
      const answer = answers[Math.min(at++, answers.length - 1)];
      if (answer === 'wait') return;
      if (answer === 'hang up') return request.socket.destroy();
      const { status = 200, body = {} } = answer;
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const connection = await trinoConnection({
    url,
    user: 'me',
    catalog: 'lake',
    schema: 's',
    shown: 'here',
    patience: 0,
  });
  const rows = async (signal?: AbortSignal): Promise<unknown[]> => {
    const found: unknown[] = [];
    await connection.query('SELECT 1', { signal, onRow: (row) => found.push(row) });
    return found;
  };
  return { asked, connection, rows };
};

// A proxy's coordinator calls itself by a name of its own.
const next = (page: number): string => `http://inside.example/v1/statement/q/${page}?slug=x`;
const failed = (errorName: string, errorType = 'INTERNAL_ERROR'): Answer => ({
  body: { error: { errorName, errorType, message: 'a-secret-value' } },
});

test('an answer comes page by page, from the server that was named', async () => {
  const columns = [{ name: 'a', type: 'bigint' }];
  const { asked, rows, connection } = await coordinator(
    { body: { nextUri: next(1) } },
    { status: 503 },
    { body: { nextUri: next(2), columns, data: [[1], [2]] } },
    { body: { columns, data: [[null]] } },
  );
  expect(await rows()).toEqual([[1], [2], [null]]);
  const pages = ['/q/1?slug=x', '/q/1?slug=x', '/q/2?slug=x'].map((page) => `GET /v1/statement${page}`);
  expect(asked.map(({ line }) => line)).toEqual(['POST /v1/statement', ...pages]);
  expect(asked[0]).toMatchObject({
    body: 'SELECT 1',
    headers: { 'x-trino-user': 'me', 'x-trino-catalog': 'lake', 'x-trino-schema': 's', 'x-trino-time-zone': 'UTC' },
  });
  expect(await connection.columns('t')).toEqual([{ name: 'a', type: 'bigint', kind: 'integer', sql: '"a"' }]);
});

test('a query that is stopped here is cancelled there', async () => {
  const { asked, rows } = await coordinator({ body: { nextUri: next(1) } }, 'wait');
  const stop = new AbortController();
  const found = rows(stop.signal);
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(found).rejects.toThrow('enough');
  expect(asked.at(-1)!.line).toBe('DELETE /v1/statement/q/1?slug=x');
  await expect(rows(stop.signal)).rejects.toThrow('enough');
});

test('errors are told by their names alone: lost where the cluster may answer later, else what to do', async () => {
  const said = async (answer: Answer | 'hang up'): Promise<Error> =>
    (await coordinator({ body: { nextUri: next(1) } }, answer)).rows().then(
      () => expect.fail('it must fail'),
      (error: Error) => error,
    );
  for (const answer of [failed('REMOTE_TASK_ERROR'), failed('NO_NODES_AVAILABLE'), 'hang up', { status: 410 }] as const)
    expect(await said(answer)).toBeInstanceOf(LostConnection);
  const told: [Answer, RegExp][] = [
    [failed('TABLE_NOT_FOUND', 'USER_ERROR'), /^here: there is no such table; check its name \(TABLE_NOT_FOUND\)$/],
    [failed('SYNTAX_ERROR', 'USER_ERROR'), /^here: Trino could not understand the query \(SYNTAX_ERROR\)/],
    [failed('EXCEEDED_GLOBAL_MEMORY_LIMIT'), /raise query.max-memory/],
    [failed('COMPILER_ERROR'), /^here: Trino could not answer \(COMPILER_ERROR\)$/],
    [{ status: 401, body: 'a-secret-value' }, /check the user and TRINO_PASSWORD/],
    [{ body: 'a-secret-value' }, /^here: must answer as Trino does, got something else/],
  ];
  for (const [answer, sentence] of told) {
    const { message } = await said(answer);
    expect(message).toMatch(sentence);
    expect(message).not.toContain('a-secret-value');
  }
});

test('a server that is not there is lost, and so it is said; a secret travels over TLS only', async () => {
  const place = { url: new URL('http://127.0.0.1:1'), user: 'me', shown: 'nobody', patience: 100 };
  const nobody = await trinoConnection(place);
  await expect(nobody.query('SELECT 1', { onRow: () => undefined })).rejects.toThrow(/connection was lost/);
  await expect(nobody.recover()).rejects.toThrow(/must be within reach/);
  await expect(trinoConnection({ ...place, password: 'hush' })).rejects.toThrow(/must travel encrypted/);
  await expect(trinoConnection({ ...place, token: 'hush' })).rejects.toThrow(/must travel encrypted/);
});
