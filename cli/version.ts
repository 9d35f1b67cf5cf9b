import { existsSync, readFileSync } from 'node:fs';

/** The version of the package this file belongs to: the nearest package.json above it, in the sources or in dist. */
export const version = (): string => {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const file = new URL('package.json', folder);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    if (folder.pathname === '/') return 'unknown';
  }
};
