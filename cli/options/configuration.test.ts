import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configurationShape } from '../../src/bundle/configuration.js';
import { merged, readConfiguration } from './configuration.js';
import { optionsOf } from './table.js';

const options = optionsOf('release');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'surmise-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = async (content: unknown) => {
  const file = path.join(folder, 'c.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readConfiguration(file, options);
};

describe('readConfiguration', () => {
  it('gives values as the command line would have them, with names of files beside the configuration', async () => {
    const { given, private: own } = (await read({
      private: 'p.csv',
      public: '/data/q.csv',
      schema: 'sub/s.json',
      epsilon: 0.1,
      delta: '1e-9',
      pure: false,
      unitId: 'person',
      maxRecords: 3,
      set: { maxCells: 5, mode: 'x' },
      exclude: ['a', 'b'],
    }))!;
    expect(own).toBe(path.join(folder, 'p.csv'));
    expect(given).toEqual({
      public: ['/data/q.csv'],
      schema: [path.join(folder, 'sub/s.json')],
      epsilon: ['0.1'],
      delta: ['1e-9'],
      pure: ['false'],
      'unit-id': ['person'],
      'max-records': ['3'],
      set: ['maxCells=5', 'mode=x'],
      exclude: ['a', 'b'],
    });
  });

  it.each([
    ['an unknown key', { epsilom: 1 }, /c\.json: unknown key "epsilom"; did you mean "epsilon"\?/],
    ['a seed for the noise', { unsafeSeed: 1 }, /unknown key "unsafeSeed"/],
    ['a value of another kind', { maxRecords: 'two' }, /maxRecords: must be a number, got "two"/],
    ['a number out of range', { rows: 0 }, /rows: must be at least 1, got 0/],
    ['a relation that is none', { relation: 'swap' }, /relation: must be "add-remove" or "replace-one", got "swap"/],
    ['no object', 7, /c\.json: must be an object, got 7/],
    ['no JSON', '{', /c\.json: must be JSON, and /],
    ['a bundle that surmise did not write', { format: 'surmise-bundle/2' }, /bundle\.json /],
  ])('refuses %s', async (_, content, says) => {
    await expect(read(content)).rejects.toThrow(says);
  });

  it('is silent where nothing was named and there is nothing, and not where something was', async () => {
    expect(await readConfiguration(undefined, options)).toBeUndefined();
    await expect(readConfiguration(path.join(folder, 'none.json'), options)).rejects.toThrow(/that exists/);
    await expect(readConfiguration(folder, options)).rejects.toThrow(
      /must be a configuration file or the directory of a release/,
    );
  });
});

it('knows every choice that a bundle records, but for those that only programs make and what came of limits', () => {
  const keys = Object.keys(configurationShape.entries).filter((key) => !['rho', 'why', 'limits'].includes(key));
  expect(keys.filter((key) => !options.some((option) => option.key === key))).toEqual([]);
});

describe('merged', () => {
  const file = {
    epsilon: ['1'],
    delta: ['1e-9'],
    exclude: ['a'],
    mechanism: ['reweight'],
    set: ['maxCells=5'],
  };
  it('lets what is typed win, and puts aside what cannot stand beside it', () => {
    expect(merged({}, file, options)).toEqual(file);
    expect(merged({ epsilon: ['2'] }, file, options)).toEqual({ ...file, epsilon: ['2'] });
    expect(merged({ pure: ['true'] }, file, options)).not.toHaveProperty('delta');
    expect(merged({ schema: ['s.json'] }, file, options)).not.toHaveProperty('exclude');
    expect(merged({ mechanism: ['mwem'] }, file, options)).not.toHaveProperty('set');
    expect(merged({ set: ['iterations=2'] }, file, options).set).toEqual(['maxCells=5', 'iterations=2']);
    expect(merged({ exclude: ['b'] }, file, options).exclude).toEqual(['b']);
  });
});
