import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { marginal } from '../../src/query/marginal.js';
import { seeded } from '../../src/random/seeded.js';
import { openPrivateFile } from './private-file.js';
import { privateFolder } from './private-folder.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'folder-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [{ name: 'a', type: 'integer', min: 0, max: 3 }],
});

const planted = (name: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, `a,who\n${Array.from({ length: 5000 }, (_, i) => `${i % 4},somebody${i % 700}\n`).join('')}`);
  return file;
};

const place = (name: string): string => {
  const temporary = path.join(folder, name);
  mkdirSync(temporary);
  return temporary;
};

describe.skipIf(process.platform === 'win32')('what is on the disk while DuckDB counts a private table', () => {
  it('has no name: the folder is empty and closed to others, and gone at the end', async () => {
    const temporary = place('counting');
    const source = await openPrivateFile(planted('open.csv'), schema, {
      random: seeded(1),
      unit: { kind: 'id', column: 'who', maxRecords: 3 },
      engine: 'duckdb',
      temporary,
    });
    const [own] = readdirSync(temporary);
    expect(readdirSync(path.join(temporary, own))).toEqual([]);
    expect(statSync(path.join(temporary, own)).mode & 0o777).toBe(0o700);
    const [counts] = await source.counts([marginal('a')]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(2100);
    await source.close();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('goes with a process that is killed, and the empty folder with the next run', async () => {
    const temporary = place('killed');
    const file = planted('killed.csv');
    const script = `
      import { openPrivateFile } from ${JSON.stringify(new URL('../../dist/adapters/private/private-file.js', import.meta.url).href)};
      const random = { uint32: () => 1 };
      await openPrivateFile(${JSON.stringify(file)}, ${JSON.stringify(schema)}, { random, engine: 'duckdb', temporary: ${JSON.stringify(temporary)} });
      console.log('open');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [left, ...more] = readdirSync(temporary);
    expect(more).toEqual([]);
    expect(readdirSync(path.join(temporary, left))).toEqual([]);
    const own = await privateFolder(temporary);
    expect(readdirSync(temporary)).toEqual([path.basename(own)]);
  });

  it('is left alone while its process lives, or where it is not known whose it is', async () => {
    const temporary = place('living');
    const living = await privateFolder(temporary);
    const others = ['surmise-00000000-1-abcdef', 'surmise-abcdef', 'surmise'];
    for (const name of others) mkdirSync(path.join(temporary, name));
    // A second process looks for stale folders of its own accord.
    const module = new URL('../../dist/adapters/private/private-folder.js', import.meta.url).href;
    const script = `import { privateFolder } from ${JSON.stringify(module)}; await privateFolder(${JSON.stringify(temporary)});`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).status).toBe(0);
    expect(existsSync(living)).toBe(true);
    for (const name of others) expect(existsSync(path.join(temporary, name))).toBe(true);
  });

  it('is not removed through a link that somebody put in its place', async () => {
    const [, machine] = path.basename(await privateFolder(place('named'))).split('-');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const temporary = place('linked');
    const precious = place('precious');
    writeFileSync(path.join(precious, 'file'), 'x');
    symlinkSync(precious, path.join(temporary, `surmise-${machine}-${pid}-abcdef`));
    mkdirSync(path.join(temporary, `surmise-${machine}-${pid}-ghijkl`));
    await privateFolder(temporary);
    expect(existsSync(path.join(precious, 'file'))).toBe(true);
    expect(existsSync(path.join(temporary, `surmise-${machine}-${pid}-ghijkl`))).toBe(false);
  });
});
