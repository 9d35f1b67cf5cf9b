// What only a registry can show, so it is no part of `npm test`: packs the package, installs it into an empty project, and there
// compiles a consumer by several releases of TypeScript with libraries checked, bundles the core for browsers by esbuild and by Vite,
// and runs the command line, and an example on several releases of Node. A few minutes, most of them npm's.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(path.join(tmpdir(), 'surmise-package-'));
const typescripts = ['5.9', '6'];
const nodes = ['20', '22', '24'];
const faults = [];

const npm = (cwd, ...words) =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });

/** A folder of its own with packages from the registry; nothing there may run a script. */
const project = (name, files, ...packages) => {
  const place = path.join(folder, name);
  mkdirSync(place);
  for (const [file, text] of Object.entries({ 'package.json': '{ "private": true, "type": "module" }', ...files }))
    writeFileSync(path.join(place, file), text);
  npm(place, 'install', '--ignore-scripts', ...packages);
  return place;
};

/** Runs a command and keeps what it says when it fails. */
const expectGood = (title, command, words, cwd, good = () => true) => {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  const fine = status === 0 && good(stdout, stderr);
  console.log(`${fine ? 'ok  ' : 'FAIL'} ${title}`);
  if (!fine) faults.push(`${title}: exit ${status}\n${stdout}${stderr}`);
};

const config = (files, options) =>
  JSON.stringify({
    compilerOptions: { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2022', ...options },
    files,
  });

const files = {
  'node.ts': "export * from 'surmise';\nexport * from 'surmise/advanced';\nexport * from 'surmise/node';\n",
  'page.ts': "export * from 'surmise';\nexport * from 'surmise/advanced';\n",
  'entry.js': "export * from 'surmise';\nexport * from 'surmise/advanced';\n",
  'node.json': config(['node.ts'], { module: 'nodenext', types: ['node'] }),
  'page.json': config(['page.ts'], {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    types: [],
  }),
  'vite.mjs': `import { build } from 'vite';
const lib = { entry: 'entry.js', formats: ['es'], fileName: 'vite' };
const rolldownOptions = { onwarn: (told) => { throw new Error(told.message); } };
const [{ output }] = await build({ configFile: false, build: { outDir: 'out/vite', lib, rolldownOptions } });
const names = output.map(({ fileName }) => fileName);
const outside = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]).filter((name) => !names.includes(name));
if (outside.length > 0) throw new Error('left outside: ' + outside.join(', '));
`,
};

try {
  const told = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder));
  const [{ filename, size, entryCount }] = Object.values(told);
  console.log(`${filename}: ${entryCount} files, ${size} bytes`);
  const tarball = path.join(folder, filename);

  const consumer = project('consumer', files, tarball, '@types/node@20', 'esbuild', 'vite');
  const locked = JSON.parse(readFileSync(path.join(consumer, 'node_modules', '.package-lock.json'), 'utf8')).packages;
  // The bundlers are ours, and none of the package's.
  const scripted = Object.keys(locked).filter(
    (name) => locked[name].hasInstallScript && !/node_modules\/(esbuild|fsevents)$/.test(name),
  );
  console.log(`${scripted.length === 0 ? 'ok  ' : 'FAIL'} nothing that is installed with it runs a script`);
  if (scripted.length > 0) faults.push(`install scripts: ${scripted.join(', ')}`);

  for (const version of typescripts) {
    const tsc = path.join(
      project(`typescript-${version}`, {}, `typescript@${version}`),
      'node_modules/typescript/bin/tsc',
    );
    for (const use of ['node', 'page'])
      expectGood(
        `TypeScript ${version} compiles a consumer in ${use === 'node' ? 'Node' : 'a page'}`,
        process.execPath,
        [tsc, '-p', `${use}.json`],
        consumer,
      );
  }

  const esbuild = path.join(consumer, 'node_modules', 'esbuild', 'bin', 'esbuild');
  const browser = ['entry.js', '--bundle', '--format=esm', '--platform=browser', '--log-level=warning'];
  // A warning is what a user would see.
  expectGood(
    'esbuild bundles the core',
    process.execPath,
    [esbuild, ...browser, '--outfile=out/esbuild.mjs', '--metafile=meta.json'],
    consumer,
    (_, said) => said === '',
  );
  expectGood(
    'Vite bundles the core',
    process.execPath,
    ['vite.mjs'],
    consumer,
    (out, said) => !/externalized/.test(out + said),
  );
  const { outputs } = JSON.parse(readFileSync(path.join(consumer, 'meta.json'), 'utf8'));
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  if (outside.length > 0) faults.push(`esbuild left outside: ${outside.map((one) => one.path).join(', ')}`);

  const ask = readFileSync(path.join(consumer, 'node_modules', 'surmise', 'examples', 'ask.ts'), 'utf8');
  writeFileSync(path.join(consumer, 'ask.ts'), ask);
  const cli = path.join(consumer, 'node_modules', 'surmise', 'dist', 'cli', 'main.js');
  for (const version of nodes) {
    // The package `node` would fetch this one by a script.
    const home = project(`node-${version}`, {}, `node-${process.platform}-${process.arch}@${version}`);
    const node = path.join(home, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
    expectGood(`Node ${version} makes a demo`, node, [cli, 'demo', '-o', `demo-${version}`], consumer);
    expectGood(`Node ${version} verifies it`, node, [cli, 'verify', `demo-${version}/release`], consumer);
    // From 22.18 on, Node takes TypeScript as it is.
    if (Number(version) >= 22) expectGood(`Node ${version} runs an example`, node, ['ask.ts'], consumer);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (faults.length > 0) {
  console.error(`\n${faults.join('\n\n')}`);
  process.exitCode = 1;
}
