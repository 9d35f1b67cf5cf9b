import { execFile, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../../cli/options/command-table.js';
import { optionsOf } from '../../cli/options/table.js';
import { householdMechanisms, mechanisms } from '../../src/release/registry.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

const run = promisify(execFile);
const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const scriptFor = async (shell: string): Promise<string> => {
  const { code, out } = await runHere('.', 'completion', shell);
  expect(code).toBe(0);
  return out;
};

/** What bash offers after these words, the last of which is being typed; bash takes = for a word of its own. */
const offered = async (folder: string, ...words: string[]): Promise<string[]> => {
  const script = `${await scriptFor('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _surmise; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await run('bash', ['-c', script, 'bash', 'surmise', ...words], { cwd: folder });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
};

describe('completion in bash', () => {
  it('offers commands, and what follows them', async () => {
    expect(await offered('.', '')).toEqual([...commandNames, 'help', '--help', '--version']);
    expect(await offered('.', 'che')).toEqual(['check-public']);
    expect(await offered('.', 'ledger', '')).toEqual(['init', 'show', 'verify', 'raise', 'end', 'bind']);
    expect(await offered('.', 'ledger', 's')).toEqual(['show']);
    expect(await offered('.', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await offered('.', 'help', 'sch')).toEqual(['schema']);
  });

  it.each(commandNames)('offers every option of %s', async (name) => {
    const all = optionsOf(name).flatMap((option) => [
      `--${option.name}`,
      ...(option.short ? [`-${option.short}`] : []),
    ]);
    expect((await offered('.', name, '-')).sort()).toEqual(all.sort());
  });

  it('offers the words of a choice, names of mechanisms, and the rest of a list', async () => {
    const names = [...mechanisms, ...householdMechanisms].map(({ name }) => name);
    expect(await offered('.', 'release', 'x.csv', '--mechanism', '')).toEqual(['auto', ...names]);
    expect(await offered('.', 'release', '--format', '=', 'p')).toEqual(['parquet']);
    expect(await offered('.', 'release', '--format', '=')).toEqual(['csv', 'parquet']);
    expect(await offered('.', 'compare', 'x.csv', '--mechanisms', 'aim,m')).toEqual(['aim,mwem', 'aim,mst']);
    expect(await offered('.', 'release', '--epsilon', '')).toEqual([]);
  });

  it('offers files for files and folders for folders, with spaces in them, after options of any kind', async () => {
    const folder = await folderWith({ 'a table.csv': '', 'b.csv': '' });
    await mkdir(path.join(folder, 'a folder'));
    expect((await offered(folder, 'release', '--public', 'a')).sort()).toEqual(['a folder', 'a table.csv']);
    expect(await offered(folder, 'release', '-o', '')).toEqual(['a folder']);
    expect(await offered(folder, 'verify', '--json', '')).toEqual(['a folder']);
    expect(await offered(folder, 'schema', '--bins', '9', 'b')).toEqual(['b.csv']);
    expect(await offered(folder, 'ledger', 'show', 'b')).toEqual(['b.csv']);
    // All operands are there: what remains are options.
    expect(await offered(folder, 'inspect', 'b.csv', '')).toContain('--schema');
  });
});

describe('completion scripts', () => {
  it.each(['bash', 'zsh', 'fish'])('name every command and option for %s', async (shell) => {
    const script = await scriptFor(shell);
    for (const name of commandNames) {
      expect(script).toMatch(new RegExp(`(^|\\W)${name}(\\W|$)`, 'm'));
      for (const option of optionsOf(name)) expect(script).toMatch(new RegExp(`(--|-l )${option.name}(\\W|$)`, 'm'));
    }
  });

  it.each(['bash', 'zsh', 'fish'])('are whole to %s itself, where it is installed', async (shell) => {
    const script = await scriptFor(shell);
    if (isThere(shell)) {
      const file = path.join(await folderWith({ script }), 'script');
      expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
      return;
    }
    // Without the shell: quotes and brackets outside of quoted words must at least pair up.
    const bare = script.replace(shell === 'fish' ? /'(\\.|[^'\\])*'/g : /'[^']*'|\\'/g, '').replace(/^#.*$/gm, '');
    expect(bare).not.toContain("'");
    for (const [open, close] of ['{}', '()', '[]'])
      expect(bare.split(open).length).toBe(
        bare.split(close).length - (open === '(' ? (bare.match(/^\s*[\w-]+\)/gm)?.length ?? 0) : 0),
      );
  });

  it('refuse another shell in one sentence, and print the table as JSON', async () => {
    const { code, out, err } = await runHere('.', 'completion', 'csh');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      'surmise: completion: must be followed by bash, zsh or fish, got "csh"; see surmise completion --help\n',
    );
    const table = JSON.parse((await runHere('.', 'completion', '--json')).out);
    expect(table.map(({ name }: { name: string }) => name)).toEqual(commandNames);
    const release = table.find(({ name }: { name: string }) => name === 'release');
    expect(release.options.find(({ name }: { name: string }) => name === 'format')).toMatchObject({
      value: 'F',
      otherwise: 'csv',
      complete: { kind: 'words', words: ['csv', 'parquet'] },
    });
  });
});
