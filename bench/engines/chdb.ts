import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

interface Session {
  queryAsync(sql: string, options: { readonly format: string }): Promise<{ text(): string }>;
  close(): void;
}

/** Settings that belong to the interface and not to the query. */
const ofServer = new Set([
  'default_format',
  'database',
  'readonly',
  'cancel_http_readonly_queries_on_client_close',
  'http_write_exception_in_output_format',
  'session_id',
  'session_timeout',
]);

/** Something that answers as ClickHouse's HTTP interface does, with ClickHouse's own engine inside this process. */
export interface ClickHouse {
  readonly port: number;
  /** All that was sent: the settings, the headers and the query. */
  readonly heard: {
    readonly settings: URLSearchParams;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly sql: string;
  }[];
  /** Queries whose connection was closed before the answer. */
  readonly dropped: string[];
  /** What to answer instead of the engine, or undefined. */
  instead:
    | ((sql: string) => { readonly status: number; readonly body: string } | 'hang up' | 'wait' | undefined)
    | undefined;
  run(sql: string): Promise<string>;
  close(): Promise<void>;
}

/** Undefined where the engine is not built for the machine. Queries that come again and again are compiled where it is told to. */
export const startClickHouse = async ({ compile = false } = {}): Promise<ClickHouse | undefined> => {
  let session: Session;
  try {
    const { Session: Opened } = createRequire(import.meta.url)('chdb') as { Session: new () => Session };
    session = new Opened();
    // The first is heard of too late in a query itself; what is asked once is not worth compiling.
    const compiling = compile ? {} : { compile_expressions: 0, compile_aggregate_expressions: 0 };
    const set = { max_query_size: 2 ** 28, max_threads: 2, ...compiling };
    for (const [name, value] of Object.entries(set))
      await session.queryAsync(`SET ${name} = ${value}`, { format: 'Null' });
  } catch {
    return undefined;
  }
  const run = async (sql: string): Promise<string> =>
    (await session.queryAsync(sql, { format: 'JSONCompactEachRow' })).text();
  const server = createServer((request, response) => {
    let sql = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      sql += piece;
    });
    request.on('end', async () => {
      const settings = new URL(request.url!, 'http://here').searchParams;
      engine.heard.push({ settings, headers: request.headers, sql });
      response.on('close', () => {
        if (!response.writableEnded) engine.dropped.push(sql);
      });
      const instead = engine.instead?.(sql);
      if (instead === 'wait') return;
      if (instead === 'hang up') return request.socket.destroy();
      if (instead !== undefined) return response.writeHead(instead.status).end(instead.body);
      const set = [...settings]
        .filter(([name]) => !ofServer.has(name))
        .map(([name, value]) => `${name} = ${/^\d+$/.test(value) ? value : `'${value}'`}`);
      try {
        // Statements that write take no settings at their end.
        const writes = /^(CREATE TABLE|INSERT|RENAME|DROP)\b/.test(sql);
        const body = await run(writes ? sql : `${sql} SETTINGS ${set.join(', ')}`);
        response.end(body);
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const engine: ClickHouse = {
    port: (server.address() as AddressInfo).port,
    heard: [],
    dropped: [],
    instead: undefined,
    run,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      session.close();
    },
  };
  return engine;
};
