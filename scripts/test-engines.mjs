// Tests the dialects against real engines, one after the other: installs what it needs into a folder of its own, says what it could not have, and goes on with the
// rest. `npm run test:engines -- trino` is for one of them. Nothing is waited for without a limit.
import { spawn } from 'node:child_process';
import { servers } from '../dist/bench/engines/servers.js';

/** Minutes for the tests of one engine, which take one or two on a quiet machine, and for all of it: what is not begun by then is left out. */
const [FOR_ONE, FOR_ALL] = [10, 25];

const began = Date.now();
const say = (line) => process.stdout.write(`test:engines: ${line}\n`);

let server;
let tests;
const stop = () => {
  try {
    if (tests?.pid !== undefined) process.kill(-tests.pid, 'SIGKILL');
  } catch {
    // They have ended.
  }
  tests = undefined;
  server?.stop();
  server = undefined;
};
process.once('exit', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** Runs the tests in a group of their own; whether they passed within their time. */
const passed = (name, env) =>
  new Promise((resolve) => {
    tests = spawn('npx', ['vitest', 'run', '--config', 'vitest.engines.config.ts'], {
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
      env,
    });
    const timer = setTimeout(() => {
      say(`the tests of ${name} did not end within ${FOR_ONE} minutes`);
      resolve(false);
    }, FOR_ONE * 60_000);
    tests.once('error', () => resolve(false));
    tests.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });

const only = process.argv.slice(2);
const told = [];
let failed = false;
for (const [name, start] of Object.entries(servers)) {
  if (only.length > 0 && !only.includes(name.toLowerCase())) continue;
  if (Date.now() - began > FOR_ALL * 60_000) {
    told.push(`${name}: left out, there was no time`);
    continue;
  }
  const from = Date.now();
  try {
    server = await start();
  } catch (error) {
    const [why] = String(error.message).split('\n');
    say(`could not have ${name} (${why}); its tests were left out`);
    told.push(`${name}: left out, could not be had`);
    continue;
  }
  const { port, groups } = server;
  const isGood = await passed(name, { ...process.env, SURMISE_ENGINE: JSON.stringify({ name, port, groups }) });
  failed ||= !isGood;
  told.push(`${name}: ${isGood ? 'passed' : 'FAILED'} (${Math.round((Date.now() - from) / 1000)} s)`);
  stop();
}
for (const line of told) say(line);
process.exit(failed ? 1 : 0);
