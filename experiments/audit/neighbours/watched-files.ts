import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder in which DuckDB keeps what it works on: plain private data by design, mode 0700, and gone at the end. */
const privateFolder = /^surmise-[\w-]+$/;

/** Names that the system makes up: their random part says nothing. */
const masked = (name: string): string =>
  name
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(privateFolder, 'surmise-PRIVATE');

const modeOf = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

/**
 * Every file and folder under `root` as an onlooker without rights to read sees them: name, mode, size. What is left out is
 * declared here: the private table itself, whose size an onlooker sees anyway, and `during` a run DuckDB's private folder: that it is
 * there shows who counts, and so whether the codes fit in memory (docs/privacy.md). At the end it must be gone.
 */
export const listing = (root: string, privateTable: string, during = false): string[] => {
  const lines: string[] = [];
  const walk = (folder: string, shown: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const file = path.join(folder, name);
      if (file === privateTable || (during && privateFolder.test(name))) continue;
      let stat: ReturnType<typeof lstatSync>;
      try {
        stat = lstatSync(file);
      } catch {
        // Removed between the two calls.
        continue;
      }
      const label = `${shown}/${masked(name)}`;
      if (!stat.isDirectory()) lines.push(`${label} ${modeOf(stat.mode)} ${stat.size}`);
      else {
        lines.push(`${label}/ ${modeOf(stat.mode)}`);
        if (!privateFolder.test(name)) walk(file, label);
      }
    }
  };
  walk(root, '');
  return lines.sort();
};

/** The contents of every file under `root` but the private table: short texts as they are, others by their digest. */
export const contents = (root: string, privateTable: string): string[] => {
  const lines: string[] = [];
  const walk = (folder: string, shown: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      const label = `${shown}/${masked(entry.name)}`;
      if (file === privateTable) continue;
      if (entry.isDirectory()) walk(file, label);
      else if (entry.isFile()) {
        const bytes = readFileSync(file);
        const text = /\.(json|jsonl|csv|txt)$/.test(entry.name) && bytes.length < 200_000;
        lines.push(`${label} ${text ? bytes.toString('utf8') : createHash('sha256').update(bytes).digest('hex')}`);
      }
    }
  };
  walk(root, '');
  return lines.sort();
};
