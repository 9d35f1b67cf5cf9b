import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

/** The values a module exports, and whether there is a comment at their definition. (Types document their members.) */
const exportsOf = (file: string): { name: string; documented: boolean }[] => {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram([path.join(root, file)], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(path.join(root, file))!)!;
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (!(target.flags & ts.SymbolFlags.Value)) return [];
    const comment = target.getDocumentationComment(checker).map(({ text }) => text);
    return [{ name: symbol.name, documented: comment.join('').trim() !== '' }];
  });
};

describe('the public API', () => {
  it('is short enough to learn, and names nothing twice', () => {
    const [users, experts] = ['src/index.ts', 'src/advanced.ts'].map((file) => exportsOf(file).map(({ name }) => name));
    expect(users.length).toBeLessThanOrEqual(56);
    expect(users.filter((name) => experts.includes(name))).toEqual([]);
  });

  it.each(['src/index.ts', 'src/advanced.ts', 'adapters/index.ts'])('%s is one explicit list', (file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    expect(text).not.toMatch(/export \*|^import|^(export )?(const|function|class)/m);
  });

  it.each(['src/index.ts', 'src/advanced.ts', 'adapters/index.ts'])(
    'says at the definition of every function in %s what it does',
    (file) => {
      const all = exportsOf(file);
      expect(all.length).toBeGreaterThan(10);
      expect(all.filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([]);
    },
  );
});
