// Tests the dialects against real engines: installs what it needs into a folder of its own, says what it could not have, and goes on with the rest.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';

const cache = process.env.SURMISE_ENGINES ?? path.join(homedir(), '.cache', 'surmise-engines');
const versions = { sail: 'pysail==0.7.2', spark: 'pyspark[connect]==4.3.0' };

const say = (line) => process.stdout.write(`${line}\n`);

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const isOpen = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() && true));
    socket.once('error', () => resolve(false));
  });

/** A folder of Python packages of its own: engines disagree about one another's versions. */
const pythonWith = (name, wanted) => {
  const folder = path.join(cache, name);
  const bin = path.join(folder, 'bin');
  if (existsSync(path.join(folder, 'whole'))) return bin;
  mkdirSync(cache, { recursive: true });
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'ignore' });
  execFileSync(path.join(bin, 'pip'), ['install', '--quiet', wanted], { stdio: 'ignore', timeout: 900_000 });
  mkdirSync(path.join(folder, 'whole'));
  return bin;
};

const running = [];

/** Starts a server and waits until it answers. */
const serve = async (command, words, options, port) => {
  const child = spawn(command, words, { stdio: 'ignore', detached: true, ...options });
  running.push(child);
  let gone = false;
  child.once('exit', () => {
    gone = true;
  });
  child.once('error', () => {
    gone = true;
  });
  for (let tries = 0; tries < 240; tries++) {
    if (gone) throw new Error('it ended by itself');
    if (await isOpen(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('it did not answer within two minutes');
};

const engines = {
  Sail: async (port) => {
    const bin = pythonWith('sail', versions.sail);
    const env = { ...process.env, SAIL_MODE: 'local-cluster' };
    await serve(path.join(bin, 'sail'), ['spark', 'server', '--port', String(port)], { cwd: cache, env }, port);
  },
  // A driver and two executors, each a process of its own.
  Spark: async (port) => {
    const bin = pythonWith('spark', versions.spark);
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    const settings = {
      'spark.connect.grpc.binding.port': port,
      'spark.connect.grpc.binding.address': '127.0.0.1',
      'spark.sql.shuffle.partitions': 4,
      'spark.ui.enabled': false,
    };
    const set = Object.entries(settings).flatMap(([name, value]) => ['--conf', `${name}=${value}`]);
    const main = ['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', 'spark-internal'];
    const size = ['--master', 'local-cluster[2,1,1024]', '--driver-memory', '1g'];
    // Its own command finds its files beside the Python that it is installed for.
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    await serve(path.join(bin, 'spark-submit'), [...size, ...set, ...main], { cwd: cache, env }, port);
  },
};

const stop = () => {
  for (const { pid } of running)
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
};
process.once('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const only = process.argv.slice(2);
let failed = false;
for (const [name, start] of Object.entries(engines)) {
  if (only.length > 0 && !only.includes(name.toLowerCase())) continue;
  const port = await freePort();
  try {
    await start(port);
  } catch (error) {
    say(`test:engines: could not have ${name} (${String(error.message).split('\n')[0]}); its tests were left out`);
    continue;
  }
  const env = { ...process.env, SURMISE_SPARK: JSON.stringify([{ name, port }]) };
  const words = ['vitest', 'run', '--config', 'vitest.engines.config.ts'];
  const { status } = spawnSync('npx', words, { stdio: 'inherit', env });
  failed ||= status !== 0;
  stop();
  running.length = 0;
}
process.exit(failed ? 1 : 0);
