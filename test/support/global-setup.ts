import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { killPostgres, type PostgresServer } from './postgres.js';

/** A folder that the test files of a run share, and the end of the server that one of them may have started in it. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const shared = await mkdtemp(path.join(tmpdir(), 'surmise-shared-'));
  // A server that may not run as root runs in it as somebody else.
  await chmod(shared, 0o711);
  project.provide('shared', shared);
  return async () => {
    const told = await readFile(path.join(shared, 'postgres', 'server.json'), 'utf8').catch(() => undefined);
    if (told !== undefined) await killPostgres(JSON.parse(told) as PostgresServer);
    await rm(shared, { recursive: true, force: true });
  };
};
