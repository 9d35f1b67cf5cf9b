import { describe, expect, it } from 'vitest';
import { InputError } from '../src/domain/input-error.js';
import { fakeIo } from '../test/support/fake-io.js';
import { report, run } from './run.js';

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

  it('says in its own words what the library hints at', () => {
    const { io, said } = fakeIo();
    const missing = new InputError('ledger x: must exist, got no such file', { kind: 'make-ledger' });
    expect(missing.message).toBe(
      'ledger x: must exist, got no such file; check the path, or make one with createFileLedger',
    );
    report(missing, ['ledger'], io);
    report(new InputError('exclude: must name a column', { kind: 'option', name: 'exclude' }), ['schema'], io);
    expect(said.err).toBe(
      'surmise: ledger x: must exist, got no such file; check the path, or make one with surmise ledger init\nsurmise: option --exclude: must name a column\n',
    );
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
