import { describe, expect, it } from 'vitest';
import { InputError } from '../src/domain/input-error.js';
import { command, type Io } from './command.js';
import { parse } from './options/parse.js';
import { report, run } from './run.js';

const fakeIo = () => {
  const said = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    progress: () => {},
    signal: new AbortController().signal,
    isTerminal: false,
    columns: 80,
    colour: false,
    unicode: true,
  };
  return { io, said };
};

const example = command({
  name: 'example',
  summary: 'shows how',
  help: 'usage: surmise example FILE [OTHER]',
  options: { out: { type: 'string', short: 'o' }, force: { type: 'boolean' }, bins: { type: 'string' } },
  operands: ['FILE', '[OTHER]'],
  run: async () => undefined,
});

describe('reading the command line', () => {
  it('reads options, short and long, and operands in any order', () => {
    const { values, positionals } = parse(example, ['a.csv', '-o', 'x', '--force', 'b.csv', '--bins=-3']);
    expect({ ...values }).toEqual({ out: 'x', force: true, bins: '-3' });
    expect(positionals).toEqual(['a.csv', 'b.csv']);
  });

  it('takes a negative number as a value and everything after -- as operands', () => {
    expect(parse(example, ['a', '--bins', '-5']).values.bins).toBe('-5');
    expect(parse(example, ['--', '--force']).positionals).toEqual(['--force']);
  });

  it.each([
    [['a', '--forse'], /--forse: unknown.*did you mean --force\?/],
    [['a', '-x'], /-x: unknown.*surmise example --help/],
    [['a', '--constructor'], /--constructor: unknown/],
    [['a', '--out'], /--out: needs a value, got none/],
    [['a', '--out', '--force'], /--out: needs a value, got an option/],
    [['a', '--force=yes'], /--force: takes no value/],
    [['a', '-o', 'x', '-o', 'y'], /--out: may be given once/],
    [[], /needs FILE, got none/],
    [['a', 'b', 'c'], /takes FILE \[OTHER\] and options, got also "c"/],
  ])('refuses %j in one sentence', (words, message) => {
    expect(() => parse(example, words)).toThrow(InputError);
    expect(() => parse(example, words)).toThrow(message);
  });

  it('does not ask for operands when help is wanted', () => {
    expect(parse(example, ['--help']).values.help).toBe(true);
  });
});

describe('running a command line', () => {
  it('prints the overview on standard output for --help and on standard error for nothing', async () => {
    const asked = fakeIo();
    expect(await run(['--help'], asked.io)).toBe(0);
    expect(asked.said.out).toMatch(/^surmise: .*usage: surmise COMMAND/s);
    const bare = fakeIo();
    expect(await run([], bare.io)).toBe(2);
    expect(bare.said).toEqual({ out: '', err: asked.said.out });
  });

  it('prints its version', async () => {
    const { io, said } = fakeIo();
    expect(await run(['--version'], io)).toBe(0);
    expect(said.out).toMatch(/^surmise \d+\.\d+\.\d+\n$/);
  });

  it('suggests the command that was meant', async () => {
    const { io, said } = fakeIo();
    expect(await run(['shcema'], io)).toBe(2);
    expect(said).toEqual({ out: '', err: 'surmise: command shcema: unknown to surmise; did you mean schema?\n' });
  });

  it('does not take a word of the language for a command', async () => {
    const { io, said } = fakeIo();
    expect(await run(['toString'], io)).toBe(2);
    expect(said.err).toContain('unknown to surmise');
  });
});

describe('reporting an error', () => {
  it('prints an input error as one sentence, exit code 2', () => {
    const { io, said } = fakeIo();
    expect(report(new InputError('x.csv: must exist'), ['schema'], io)).toBe(2);
    expect(said.err).toBe('surmise: x.csv: must exist\n');
  });

  it('never prints the message of an unexpected error, not even with --verbose: it may quote a private value', () => {
    for (const words of [['inspect'], ['inspect', '--verbose']]) {
      const { io, said } = fakeIo();
      expect(report(new TypeError('cannot convert "Ms Secret"\n    at 7 Hidden Lane'), words, io)).toBe(1);
      expect(said.err).toMatch(/^surmise: unexpected TypeError in "inspect": this is a bug/);
      expect(said.err).not.toMatch(/Secret|Hidden/);
      expect(said.err.includes('    at ')).toBe(words.includes('--verbose'));
    }
  });

  it('turns what the operating system refuses into a sentence, exit code 2', () => {
    const { io, said } = fakeIo();
    const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/out/x' });
    expect(report(refused, ['schema'], io)).toBe(2);
    expect(said.err).toMatch(/^surmise: \/out\/x: .*permission denied.*\n$/);
  });
});
