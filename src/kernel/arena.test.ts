import { describe, expect, it } from 'vitest';
import { createArena } from './arena.js';
import { createEngine } from './engine.js';

describe('arena', () => {
  it('keeps views of a region right after the memory has grown', async () => {
    for (const shared of [false, true]) {
      const { arena, memory } = await createEngine({ shared });
      const region = arena.f64(3);
      region.view.set([1, 2, 3]);
      const before = memory.buffer;
      arena.allocate(10_000_000);
      expect(memory.buffer).not.toBe(before);
      expect([...region.view]).toEqual([1, 2, 3]);
      region.view[1] = 7;
      expect(new DataView(memory.buffer).getFloat64(region.address + 8, true)).toBe(7);
    }
  });

  it('hands out addresses that are multiples of 16 and never overlap', async () => {
    const { arena } = await createEngine();
    let end = 0;
    for (const bytes of [0, 1, 15, 16, 17, 100]) {
      const address = arena.allocate(bytes);
      expect(address % 16).toBe(0);
      expect(address).toBeGreaterThanOrEqual(end);
      end = address + bytes;
    }
  });

  it('gives released memory out again, and only once', async () => {
    const { arena } = await createEngine();
    const mark = arena.mark();
    const first = arena.u32(10).address;
    arena.release(mark);
    expect(arena.u8(1).address).toBe(first);
    const later = arena.mark();
    arena.release(mark);
    expect(() => arena.release(later)).toThrow('arena: a mark must be released once');
  });

  it('refuses what does not fit and names the size needed', async () => {
    const { arena, memory } = await createEngine();
    expect(() => arena.f64(1e9)).toThrow('kernel memory: must stay below 4.3 GB, got a need of 8.0 GB');
    expect(() => arena.allocate(Number.NaN)).toThrow('kernel memory');
    const small = createArena(memory, 1 << 20);
    expect(() => small.u8(1 << 20)).toThrow('must stay below 1.0 MB, got a need of 1.1 MB');
    expect(small.available).toBe((1 << 20) - (1 << 16));
  });

  it('works above 2 GiB, where addresses no longer fit a signed word', async () => {
    const { arena, kernels } = await createEngine();
    const address = arena.allocate(3e9);
    const high = address + 2.9e9 - ((address + 2.9e9) % 8);
    kernels.clear(high, 80);
    new Float64Array(arena.memory.buffer, high, 10).fill(1.5);
    expect(kernels.sum(high, 10)).toBe(15);
  });
});
