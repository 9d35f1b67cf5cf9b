import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/domain/input-error.js';
import type { CommandName } from './command-table.js';
import { file, flag, whole } from './kinds.js';
import type { Option } from './option.js';
import { parse } from './parse.js';

const commands = ['example'];
const options: readonly Option[] = [
  { name: 'out', short: 'o', kind: file, commands, help: 'where' },
  { name: 'force', kind: flag, commands, help: 'whether' },
  { name: 'bins', kind: whole(-9, 9), commands, otherwise: '7', help: 'how many' },
  { name: 'exclude', kind: file, many: true, commands, help: 'what not' },
  { name: 'help', short: 'h', kind: flag, commands, help: 'this text' },
];
const operands = [
  { name: 'FILE', complete: { kind: 'file' } },
  { name: 'OTHER', optional: true, complete: { kind: 'file' } },
] as const;
const read = (...words: string[]) => parse({ name: 'example' as CommandName }, words, options, { operands });

describe('reading the command line', () => {
  it('reads options, short and long, and operands in any order, each value checked and typed', async () => {
    const { values, operands: given, typed } = await read('a.csv', '-o', 'x', '--force', 'b.csv', '--bins=-3');
    expect({ ...values }).toEqual({ out: 'x', force: true, bins: -3, exclude: [], help: false });
    expect(given).toEqual(['a.csv', 'b.csv']);
    expect([...typed]).toEqual(['out', 'force', 'bins']);
  });

  it('fills in what was not typed: a default, an empty list, false, or nothing', async () => {
    expect((await read('a')).values).toEqual({ out: undefined, force: false, bins: 7, exclude: [], help: false });
    expect((await read('a', '--exclude', 'b', '--exclude', 'c')).values).toMatchObject({ exclude: ['b', 'c'] });
  });

  it('takes a negative number as a value and everything after -- as operands', async () => {
    expect((await read('a', '--bins', '-5')).values).toMatchObject({ bins: -5 });
    expect((await read('--', '--force')).operands).toEqual(['--force']);
  });

  it.each([
    [['a', '--forse'], /--forse: unknown.*did you mean --force\?/],
    [['a', '-x'], /-x: unknown.*surmise example --help/],
    [['a', '--constructor'], /--constructor: unknown/],
    [['a', '--out'], /--out: needs a value, got none/],
    [['a', '--out', '--force'], /--out: needs a value, got an option/],
    [['a', '--force=yes'], /--force: takes no value/],
    [['a', '-o', 'x', '-o', 'y'], /--out: may be given once/],
    [['a', '--bins', '10'], /--bins: must be a whole number from -9 to 9, got "10"/],
    [[], /needs FILE, got none/],
    [['a', 'b', 'c'], /takes FILE \[OTHER\] and options, got also "c"/],
  ])('refuses %j in one sentence', async (words, message) => {
    await expect(read(...words)).rejects.toThrow(InputError);
    await expect(read(...words)).rejects.toThrow(message);
  });

  it('does not ask for operands when help is wanted', async () => {
    expect((await read('--help')).values).toMatchObject({ help: true });
  });
});
