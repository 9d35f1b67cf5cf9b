// Tests the dialects against real engines, one after the other: installs what it needs into a folder of its own, says what it could not have, and goes on with the
// rest. `npm run test:engines -- trino` is for one of them.
import { spawnSync } from 'node:child_process';
import { servers } from '../dist/bench/engines/servers.js';

let server;
process.once('exit', () => server?.stop());
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const only = process.argv.slice(2);
let failed = false;
for (const [name, start] of Object.entries(servers)) {
  if (only.length > 0 && !only.includes(name.toLowerCase())) continue;
  try {
    server = await start();
  } catch (error) {
    const [why] = String(error.message).split('\n');
    process.stdout.write(`test:engines: could not have ${name} (${why}); its tests were left out\n`);
    continue;
  }
  const { port, groups } = server;
  const env = { ...process.env, SURMISE_ENGINE: JSON.stringify({ name, port, groups }) };
  const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'vitest.engines.config.ts'], {
    stdio: 'inherit',
    env,
  });
  failed ||= status !== 0;
  server.stop();
}
process.exit(failed ? 1 : 0);
