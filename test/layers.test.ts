import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { commandNames } from '../cli/options/command-table.js';
import { householdMechanisms, mechanisms as registered } from '../src/release/registry.js';

/** The stages in the order of the data; each may import those to its left and its own. */
const stages = [
  ['random', 'kernel', 'domain'],
  ['demo'],
  ['query'],
  ['source'],
  ['privacy'],
  ['model'],
  ['estimate'],
  ['release'],
  ['evaluate', 'bundle'],
  ['report'],
  ['flow'],
];
/** What users import: one explicit list each. */
const publicLists = new Set(['src/index.ts', 'src/advanced.ts']);
const leaves = new Set(['random', 'kernel', 'domain']);
const outside = ['adapters', 'cli', 'studio', 'bench', 'experiments', 'fuzz', 'examples', 'test'];
const root = path.resolve(import.meta.dirname, '..');

const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('.venv'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));

interface Import {
  readonly from: string;
  /** A path of this repository, or a package name. */
  readonly to: string;
}

const importsOf = (file: string, text = readFileSync(path.join(root, file), 'utf8')): Import[] =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => ({
    from: file,
    to: fileName.startsWith('.') ? path.join(path.dirname(file), fileName).replace(/\.js$/, '.ts') : fileName,
  }));

const stageOf = (file: string): string =>
  file.startsWith('src/') ? file.split('/')[1].replace(/\.ts$/, '') : file.split('/')[0];
const rank = (stage: string): number => stages.findIndex((names) => names.includes(stage));

/** The homes of the mechanisms: what the registry lists, and those that programs call by name. */
const homes = new Set([...[...registered, ...householdMechanisms].map(({ name }) => name), 'check-public']);
const homeOf = (file: string): string | undefined => {
  const home = /^src\/release\/([^/]+)\//.exec(file)?.[1];
  return home !== undefined && homes.has(home) ? home : undefined;
};

/** What programs may import, and so the command line. */
const entries = new Set(['src/index.ts', 'src/advanced.ts', 'adapters/index.ts']);

/** The same for the studio. */
const pageEntries = new Set(['src/index.ts', 'src/advanced.ts', 'adapters/browser/index.ts']);

/** Why an import breaks the rule, or undefined. */
const breach = ({ from, to }: Import): string | undefined => {
  const [a, b] = [stageOf(from), stageOf(to)];
  const test = from.endsWith('.test.ts') || from.startsWith('test/');
  if (!to.includes('/') || !/^(src|adapters|cli|studio|bench|experiments|fuzz|examples|test)\//.test(to)) {
    if (/^(src|studio|adapters\/browser)\//.test(from) && !test && to.startsWith('node:'))
      return 'the core and the studio run in browsers';
    return undefined;
  }
  if (test) return undefined;
  if (from.startsWith('src/') && !to.startsWith('src/')) return 'the core knows nothing outside src/';
  if (publicLists.has(from)) return undefined;
  if (from.startsWith('src/')) {
    if (publicLists.has(to)) return 'the public list is for users, not for the core';
    if (rank(a) < 0) return `src/${a} is no stage`;
    if (b === 'source' && !['source', 'privacy', 'flow'].includes(a))
      return 'only privacy/, flow/ and adapters/ may reach a source';
    if (homeOf(from) && homeOf(to) && homeOf(from) !== homeOf(to)) return 'no mechanism imports another mechanism';
    if (a !== b && rank(b) >= rank(a) && !(leaves.has(a) && leaves.has(b))) return `${a} stands left of ${b}`;
    return undefined;
  }
  if (b === 'source' && !['adapters', 'bench', 'experiments'].includes(a))
    return 'only privacy/ and adapters/ may reach a source';
  if (a === 'adapters' && ['cli', 'studio', 'bench', 'experiments', 'fuzz'].includes(b))
    return 'adapters stand left of the command line';
  if (a === 'adapters' && ['estimate', 'release', 'evaluate', 'report'].includes(b))
    return 'adapters open, read and write: logic of the core is reached through flow/';
  if (a === 'cli' && /^(src|adapters)\//.test(to) && !entries.has(to))
    return 'the command line imports public entries, not deep files';
  if (a === 'studio' && /^(src|adapters|cli)\//.test(to) && !pageEntries.has(to))
    return 'the studio imports public entries and what adapters have for pages, not deep files';
  if (['cli', 'studio'].includes(a) && ['bench', 'experiments', 'fuzz'].includes(b))
    return 'the product does not import its laboratory';
  return undefined;
};

const files = ['src', ...outside].flatMap(filesBelow);
const imports = files.flatMap((file) => importsOf(file));

/** Options and commands as one types them. */
const spoken = new RegExp(`(^|\\s|\\()(--[a-z]|(?<!a )surmise (${commandNames.join('|')})\\b)`);

/** All texts in a file: of quotes, and the parts of templates. */
const textsOf = (file: string): string[] => {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      texts.push(node.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest));
  return texts;
};

describe('the dependency rule', () => {
  it('finds the files and imports of the tree', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(20);
    for (const home of homes) expect(files).toContain(`src/release/${home}/${home}.ts`);
    for (const { name } of registered)
      for (const part of ['plan', 'entry']) expect(files).toContain(`src/release/${name}/${part}.ts`);
  });

  it('holds for every import: leftwards only, sources behind the session, no Node in the core', () => {
    const breaches = imports.flatMap((edge) => {
      const why = breach(edge);
      return why === undefined ? [] : [`${edge.from} imports ${edge.to}: ${why}`];
    });
    expect(breaches).toEqual([]);
  });

  it.each([
    ['src/domain/x.ts', "import { y } from '../query/y.js';"],
    ['src/release/x.ts', "import type { PrivateSource } from '../source/source.js';"],
    ['src/privacy/x.ts', "export * from '../model/x.js';"],
    ['src/kernel/x.ts', "const fs = await import('node:fs');"],
    ['src/model/x.ts', "import { z } from '../../adapters/z.js';"],
    ['src/release/ide/ide.ts', "import { reweight } from '../reweight/reweight.js';"],
    ['adapters/x.ts', "import { aim } from '../src/release/aim/aim.js';"],
    ['cli/x.ts', "import { memorySource } from '../src/source/memory-source.js';"],
    ['cli/x.ts', "import { budgetOf } from '../src/privacy/accounting/budget.js';"],
    ['cli/x.ts', "const files = await import('../adapters/release-files.js');"],
    ['studio/x.ts', "import { memorySource } from '../src/source/memory-source.js';"],
    ['studio/x.ts', "import { fileLedger } from '../adapters/index.js';"],
    ['adapters/browser/x.ts', "import { readFile } from 'node:fs/promises';"],
  ])('would catch a breach in %s', (file, text) => {
    expect(importsOf(file, text).map(breach)).toEqual([expect.any(String)]);
  });

  it('has every unit test beside the file that it is named after, and helpers of tests in test/support', () => {
    const tests = files.filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/'));
    expect(tests.length).toBeGreaterThan(50);
    expect(tests.filter((file) => !files.includes(file.replace('.test.ts', '.ts')))).toEqual([
      'fuzz/corpus.test.ts',
      'examples/examples.test.ts',
    ]);
    const helpers = files.filter((file) => file.startsWith('test/') && !file.endsWith('.test.ts'));
    expect(helpers.filter((file) => !file.startsWith('test/support/'))).toEqual([]);
  });

  it('has no import cycle', () => {
    const edges = new Map<string, string[]>();
    for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, trail: string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const next of edges.get(file) ?? []) if (edges.has(next)) visit(next, [...trail, file]);
      state.set(file, 'done');
    };
    for (const file of edges.keys()) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('leaves the words of the command line to the command line', () => {
    // A report is for readers: it tells them which commands check it. And one file speaks to V8, whose flags look like ours.
    const exempt = /\.test\.ts$|^src\/report\/|^adapters\/relaxed-simd\.ts$/;
    const told = files.filter((file) => /^(src|adapters)\//.test(file) && !exempt.test(file));
    const guilty = told.flatMap((file) =>
      textsOf(file)
        .filter((text) => spoken.test(text))
        .map((text) => `${file}: ${text}`),
    );
    expect(guilty).toEqual([]);
    for (const text of ['leave --ledger out', 'see surmise verify', '--public FILE']) expect(text).toMatch(spoken);
  });

  it('leaves no hidden randomness in the core', () => {
    const guilty = files.filter(
      (file) =>
        file.startsWith('src/') &&
        !file.endsWith('.test.ts') &&
        readFileSync(path.join(root, file), 'utf8').includes('Math.random'),
    );
    expect(guilty).toEqual([]);
  });
});
