import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The kept inputs of a target in the order of their names; those that once broke something are called `fixed-...`. */
export const readCorpus = (root: string, target: string): Uint8Array[] => {
  const folder = path.join(root, 'fuzz', 'corpus', target);
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  return names.map((name) => new Uint8Array(readFileSync(path.join(folder, name))));
};
