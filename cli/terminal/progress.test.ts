import { describe, expect, it } from 'vitest';
import { progressLine, type Screen } from './progress.js';

const fake = (overrides: Partial<Screen> = {}) => {
  const written: string[] = [];
  let time = 0;
  const screen: Screen = {
    isTerminal: true,
    columns: 80,
    unicode: true,
    write: (text) => void written.push(text),
    now: () => time,
    ...overrides,
  };
  const at = (ms: number) => {
    time = ms;
  };
  return { written, line: progressLine(screen), at };
};

describe('the progress line', () => {
  it('says nothing in a pipe', () => {
    const { line, written } = fake({ isTerminal: false });
    line.show({ stage: 'read', done: 1, total: 2 });
    line.clear();
    expect(written).toEqual([]);
  });

  it('shows stage, share, rate and time left on one line that rewrites itself', () => {
    const { line, written, at } = fake();
    line.show({ stage: 'read', done: 0, total: 10_000 });
    at(2000);
    line.show({ stage: 'read', done: 2500, total: 10_000 });
    expect(written[1].startsWith('\r\x1b[2Kread ')).toBe(true);
    expect(written[1]).toMatch(/ 25% {2}1\.3k\/s {2}6 s left$/);
    expect(written.join('')).not.toContain('\n');
  });

  it('counts without a bar when the total is not known', () => {
    const { line, written, at } = fake();
    line.show({ stage: 'scan', done: 0 });
    at(1000);
    line.show({ stage: 'scan', done: 2_000_000 });
    expect(written[1]).toBe('\r\x1b[2Kscan  2.0M  2.0M/s');
  });

  it('draws at most ten times a second, and each stage at once', () => {
    const { line, written, at } = fake();
    for (let ms = 0; ms < 1000; ms++) {
      at(ms);
      line.show({ stage: 'read', done: ms, total: 5000 });
    }
    expect(written.length).toBe(10);
    line.show({ stage: 'write', done: 0, total: 5 });
    expect(written.length).toBe(11);
  });

  it('wipes itself when the stage is done and before other text', () => {
    const { line, written, at } = fake();
    line.show({ stage: 'read', done: 1, total: 2 });
    at(500);
    line.show({ stage: 'read', done: 2, total: 2 });
    expect(written.at(-1)).toBe('\r\x1b[2K');
    line.clear();
    expect(written.length).toBe(2);
  });

  it('never outgrows the terminal', () => {
    const { line, written } = fake({ columns: 20 });
    line.show({ stage: 'a stage with quite a long name', done: 1, total: 2 });
    expect(written[0].replace('\r\x1b[2K', '').length).toBeLessThan(20);
  });
});
