import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TallyOptions, tally } from './tally.js';

/* A process of `npm run audit -- --neighbours`: started with `--import register.js`, it audits what it is told to. */

const folder = mkdtempSync(path.join(tmpdir(), 'audit-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

process.on('message', async (options: Omit<TallyOptions, 'root'>) => {
  const root = path.join(folder, 'run');
  process.send!(await tally({ ...options, root, onPair: () => process.send!('pair') }));
});
process.on('disconnect', () => process.exit());
