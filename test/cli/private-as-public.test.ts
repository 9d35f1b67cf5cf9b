import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkPublicFiles, comparePublicFiles } from '../../adapters/check-public-files.js';
import { planFiles } from '../../adapters/plan-files.js';
import { openPrivateFile } from '../../adapters/private/private-file.js';
import { releaseFiles } from '../../adapters/release-files.js';
import { readColumns, tableColumns } from '../../adapters/table/read-columns.js';
import { readTable } from '../../adapters/table/read-table.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { seededEntropy } from '../../src/privacy/entropy.js';
import { seeded } from '../../src/random/seeded.js';
import { mechanismNamed } from '../../src/release/registry.js';
import { people } from '../support/people.js';
import { runHere } from '../support/run-here.js';
import { folderWith } from '../support/surmise.js';

// Item 3: a private table is not taken for public, by whatever name, wherever a table is read as public.

const budget = ['--epsilon', '2', '--exclude', 'who'];
const declared = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
    { name: 'vip', type: 'boolean' },
  ],
};
const domain = domainOf(parseSchema(declared).attributes);
const tables = {
  'private.csv': people(200, 1),
  'public.csv': people(150, 0),
  'stand-in.csv': people(160, 2),
  's.json': JSON.stringify(declared),
};

let folder: string;
const at = (name: string): string => path.join(folder, name);
const release = (...words: string[]) => runHere(folder, 'release', 'private.csv', ...words);

/** The private table, under other names, and with a ledger of its own. */
const disguises: readonly (readonly [string, () => Promise<string>])[] = [
  ['its own name', async () => 'private.csv'],
  ['a hard link', async () => link(at('private.csv'), at('linked.csv')).then(() => 'linked.csv')],
  ['a symbolic link', async () => symlink('private.csv', at('symbolic.csv')).then(() => 'symbolic.csv')],
  [
    'a hard link in another folder',
    async () => {
      await mkdir(at('sub'));
      await link(at('private.csv'), at('sub/linked.csv'));
      return 'sub/linked.csv';
    },
  ],
  [
    'a folder that leads here by a link',
    async () => {
      await symlink(folder, at('here'));
      return 'here/private.csv';
    },
  ],
];

beforeEach(async () => {
  folder = await folderWith(tables);
});

describe('item 3: where the private table is known', () => {
  it.each(disguises)('refuses it as public under %s, before anything is opened or spent', async (_, disguise) => {
    const name = await disguise();
    const says = /must be public, got a table that is the private table itself/;
    for (const words of [
      ['release', 'private.csv', '--public', name, ...budget, '-o', 'out'],
      ['release', 'private.csv', '--public', name, ...budget, '--dry-run'],
      ['check-public', 'private.csv', '--public', name, ...budget],
    ]) {
      const { code, out, err } = await runHere(folder, ...words);
      expect({ code, out }, words.join(' ')).toEqual({ code: 2, out: '' });
      expect(err).toMatch(says);
    }
    expect(existsSync(at('private.csv.ledger.jsonl'))).toBe(false);
    const common = { schema: parseSchema(declared), budget: { epsilon: 1 }, ledger: at('l.jsonl') };
    const made = releaseFiles(at('.'), {
      ...common,
      private: at('private.csv'),
      public: at(name),
      mechanism: 'auto',
      software: 'test',
    });
    await expect(made).rejects.toThrow(says);
    const checked = checkPublicFiles(at('private.csv'), {
      ...common,
      public: [at(name)],
      share: 0.5,
      random: seeded(1),
    });
    await expect(checked).rejects.toThrow(says);
    expect(existsSync(at('l.jsonl'))).toBe(false);
  });

  it('refuses a copy of it, to the byte', async () => {
    await copyFile(at('private.csv'), at('copy.csv'));
    const { code, err } = await release('--public', 'copy.csv', ...budget, '-o', 'out');
    expect(code).toBe(2);
    expect(err).toMatch(/copy\.csv: must be public, got a copy of the private table/);
    expect(existsSync(at('private.csv.ledger.jsonl'))).toBe(false);
  });
});

describe('item 3: a table that has a ledger', () => {
  const readers: readonly (readonly [string, (name: string) => string[]])[] = [
    ['release --public', (name) => ['release', 'public.csv', '--public', name, ...budget, '-o', 'out']],
    ['release --dry-run', (name) => ['release', '--public', name, ...budget, '--dry-run']],
    ['schema', (name) => ['schema', name, '-o', 'learned.json']],
    ['inspect', (name) => ['inspect', name, '--schema', 's.json']],
    ['report --public', (name) => ['report', 'released', '--public', name]],
    ['check-public --public', (name) => ['check-public', 'public.csv', '--public', name, ...budget]],
    ['check-public --against', (name) => ['check-public', '--public', 'public.csv', '--against', name]],
    ['check-public of tables', (name) => ['check-public', '--public', name, '--against', 'public.csv']],
    ['compare', (name) => ['compare', name]],
    ['compare --public', (name) => ['compare', 'public.csv', '--public', name]],
    ['evaluate', (name) => ['evaluate', 'public.csv', name]],
  ];

  it('is read as public by no command and by no function of the library, under whatever name', async () => {
    await writeFile(at('private.csv.ledger.jsonl'), 'a ledger');
    for (const [what, disguise] of disguises) {
      if (what.includes('another folder')) continue; // from there, only the working directory leads to the ledger
      const name = await disguise();
      for (const [command, words] of readers) {
        const { code, out, err } = await runHere(folder, ...words(name));
        expect({ command, code, out }).toEqual({ command, code: 2, out: '' });
        expect(err, command).toMatch(
          /must be public.*got a table that has a ledger, (here\/)?private\.csv\.ledger\.jsonl/,
        );
      }
      const refused = /got a table that has a ledger/;
      const schema = parseSchema(declared);
      await expect(readTable(at(name), domain)).rejects.toThrow(refused);
      await expect(tableColumns(at(name))).rejects.toThrow(refused);
      await expect(readColumns(at(name)).next()).rejects.toThrow(refused);
      const mechanism = mechanismNamed('reweight');
      await expect(planFiles({ schema, budget: { epsilon: 1 }, mechanism, public: at(name) })).rejects.toThrow(refused);
      const random = seeded(1);
      await expect(comparePublicFiles(at(name), { schema, random, public: [at('public.csv')] })).rejects.toThrow(
        refused,
      );
      await expect(comparePublicFiles(at('public.csv'), { schema, random, public: [at(name)] })).rejects.toThrow(
        refused,
      );
    }
    expect((await readdir(folder)).filter((name) => /out|learned|report/.test(name))).toEqual([]);
  });

  it('is known by a ledger elsewhere that belongs to it', async () => {
    expect((await release('--public', 'public.csv', ...budget, '--ledger', 'budget.jsonl', '-o', 'out')).code).toBe(0);
    const first = await runHere(folder, 'schema', 'private.csv');
    expect(first.err).toMatch(/got a table that has a ledger, private\.csv\.ledger-place\.json/);
    // Without the note, by what the ledger is bound to; under another name, by its inode.
    await rm(at('private.csv.ledger-place.json'));
    await link(at('private.csv'), at('another-name.csv'));
    for (const name of ['private.csv', 'another-name.csv']) {
      const { code, err } = await runHere(folder, 'schema', name);
      expect(code).toBe(2);
      expect(err).toMatch(/got a table that has a ledger, budget\.jsonl/);
    }
  });

  it('may be looked at by evaluate alone, when it is told that nothing is private then', async () => {
    await writeFile(at('private.csv.ledger.jsonl'), 'a ledger');
    const words = ['evaluate', 'private.csv', 'public.csv', '--exclude', 'who', '--unsafe-non-private'];
    const { code, out } = await runHere(folder, ...words);
    expect(code).toBe(0);
    expect(out).toContain('NOT PRIVATE');
  });
});

describe('item 3: a schema', () => {
  it('learned from the private table itself is refused at the release, and its digest is told nobody', async () => {
    expect((await runHere(folder, 'schema', 'private.csv', '-o', 'learned.json', '--exclude', 'who')).code).toBe(0);
    const { sha256 } = JSON.parse(await readFile(at('learned.json'), 'utf8')).origin.digest;
    await rename(at('private.csv'), at('later.csv')); // so that the name does not tell
    for (const words of [
      ['release', 'later.csv', '--schema', 'learned.json', '--epsilon', '1', '-o', 'out'],
      ['release', 'later.csv', '--schema', 'learned.json', '--public', 'public.csv', '--epsilon', '1', '-o', 'out'],
      ['check-public', 'later.csv', '--schema', 'learned.json', '--public', 'public.csv', '--epsilon', '1'],
    ]) {
      const { code, out, err } = await runHere(folder, ...words);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(
        /schema: must not be learned from the private table, got one that was; learn it from a public/,
      );
      expect(err).toMatch(/write it by hand.*"kind": "declared"/);
      expect(err).not.toContain(sha256);
    }
    expect((await readdir(folder)).sort()).toEqual([
      'later.csv',
      'learned.json',
      'public.csv',
      's.json',
      'stand-in.csv',
    ]);
    const schema = parseSchema(JSON.parse(await readFile(at('learned.json'), 'utf8')));
    await expect(openPrivateFile(at('later.csv'), schema, { random: seededEntropy(1) })).rejects.toThrow(
      'must not be learned',
    );
  });

  it('learned from it through a link, or from its compressed self, is refused too', async () => {
    await writeFile(at('p.csv.gz'), gzipSync(tables['private.csv']));
    await symlink('p.csv.gz', at('open.csv.gz'));
    expect((await runHere(folder, 'schema', 'open.csv.gz', '-o', 'a.json', '--exclude', 'who')).code).toBe(0);
    expect(JSON.parse(await readFile(at('a.json'), 'utf8')).origin.file).toBe('p.csv.gz');
    await rename(at('p.csv.gz'), at('q.csv.gz'));
    const { code, err } = await runHere(
      folder,
      'release',
      'q.csv.gz',
      '--schema',
      'a.json',
      '--epsilon',
      '1',
      '-o',
      'out',
    );
    expect(code).toBe(2);
    expect(err).toMatch(/got one that was/);
  });

  it('learned from a file of the private table’s name is refused although the table was changed or compressed since', async () => {
    expect((await runHere(folder, 'schema', 'private.csv', '-o', 'learned.json', '--exclude', 'who')).code).toBe(0);
    await writeFile(at('private.csv'), people(201, 1));
    await writeFile(at('private.csv.gz'), gzipSync(people(202, 1)));
    const packed = await runHere(
      folder,
      'release',
      'private.csv.gz',
      '--schema',
      'learned.json',
      '--epsilon',
      '1',
      '-o',
      'o',
    );
    expect(packed.code).toBe(2);
    for (const more of [['-o', 'out'], ['--dry-run']]) {
      const { code, err } = await release('--schema', 'learned.json', '--epsilon', '1', ...more);
      expect(code).toBe(2);
      expect(err).toMatch(/got one learned from a file of the same name, "private\.csv"/);
    }
  });

  it('that was learned before digests were kept can be read, and is refused at a release with the next step', async () => {
    const old = { ...declared, origin: { kind: 'public-table', file: 'public.csv', rows: 150 } };
    await writeFile(at('old.json'), JSON.stringify(old));
    expect((await runHere(folder, 'inspect', 'public.csv', '--schema', 'old.json')).code).toBe(0);
    const { code, err } = await release('--schema', 'old.json', '--epsilon', '1', '-o', 'out');
    expect(code).toBe(2);
    expect(err).toMatch(
      /must say what it was learned from \(origin\.digest\), got one without; learn it from a public/,
    );
  });

  it('learned from a public table says which one, and is taken', async () => {
    expect((await runHere(folder, 'schema', 'public.csv', '-o', 'learned.json', '--exclude', 'who')).code).toBe(0);
    const { code } = await release('--schema', 'learned.json', '--public', 'public.csv', '--epsilon', '1', '-o', 'out');
    expect(code).toBe(0);
    const { origin } = JSON.parse(await readFile(at('out/bundle.json'), 'utf8')).schema;
    expect(origin).toMatchObject({ file: 'public.csv', rows: 150, digest: { bytes: tables['public.csv'].length } });
  });

  it('is to be declared or asked for where there is no public table: help and error say so', async () => {
    expect((await runHere(folder, 'schema', '--help')).out).toMatch(
      /Without a public table: with --declare it reads the header/,
    );
    await rm(at('public.csv'));
    const { err } = await release('--epsilon', '1', '-o', 'out');
    expect(err).toMatch(/have one asked for with --discover, or make one with surmise schema PRIVATE --declare/);
  });
});
