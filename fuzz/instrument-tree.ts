import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { instrument } from './instrument.js';

/** Where the counting copy of the build goes: inside the repository, so that packages are found, and one for each run. */
export const counting = path.join('build', `fuzz-${process.pid}`);

/** Kernels are sent to workers as text and would not find the counters; the fuzzer itself is not what is looked at. */
const asIs = [path.join('src', 'kernel'), 'fuzz'];

/** Copies the build with counters in every block; gives the number of blocks. */
export const instrumentTree = (root: string): number => {
  const [from, to] = [path.join(root, 'dist'), path.join(root, counting)];
  rmSync(to, { recursive: true, force: true });
  let blocks = 0;
  for (const part of ['src', 'adapters', 'cli', 'fuzz'])
    for (const entry of readdirSync(path.join(from, part), { withFileTypes: true, recursive: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
      const file = path.join(entry.parentPath, entry.name);
      const own = path.relative(from, file);
      const target = path.join(to, own);
      mkdirSync(path.dirname(target), { recursive: true });
      if (asIs.some((folder) => own.startsWith(folder))) cpSync(file, target);
      else
        writeFileSync(
          target,
          instrument(readFileSync(file, 'utf8'), own, () => blocks++),
        );
    }
  return blocks;
};
