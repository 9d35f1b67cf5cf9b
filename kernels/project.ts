// Weights of rows, summed by coarser and coarser projections. A program is a run of steps of eight u32 words: map, bytes of a
// map entry, rows, source, change of the source, target, cells, change of the target (0 where nothing follows it). Steps
// follow a tree depth first, so the sums and changes of a level may share one place: a step finds what the last step one
// level above it has left. A change is a run of four words: how many entries changed, and the addresses of their list
// (u32), of the differences (f64) and of marks (u8). Additions run in the order of rows or of the list, as in the twin.

import { clear } from './clear';

const STEP: usize = 32;

/** Makes the targets of `steps` steps anew from their sources. */
export function project(step: usize, steps: i32): void {
  for (const end = step + STEP * <usize>steps; step < end; step += STEP) {
    const width = load<u32>(step, 4);
    if (width == 1) whole<u8>(step);
    else if (width == 2) whole<u16>(step);
    else whole<u32>(step);
  }
}

/** Adds the differences of the sources to what `project` has made: to the last targets only, others hand differences on. */
export function follow(step: usize, steps: i32): void {
  for (const end = step + STEP * <usize>steps; step < end; step += STEP) {
    const width = load<u32>(step, 4);
    if (width == 1) changed<u8>(step);
    else if (width == 2) changed<u16>(step);
    else changed<u32>(step);
  }
}

function changed<Code>(step: usize): void {
  const change = <usize>load<u32>(step, 16);
  const after = <usize>load<u32>(step, 28);
  if (after == 0) {
    applied<Code>(step, change);
  } else {
    forget(after);
    listed<Code>(step, change, after);
  }
}

/** Clears what the last step left in a change. */
function forget(change: usize): void {
  const delta = <usize>load<u32>(change, 8);
  const marks = <usize>load<u32>(change, 12);
  let at = <usize>load<u32>(change, 4);
  for (const end = at + (<usize>load<u32>(change) << 2); at < end; at += 4) {
    const entry = <usize>load<u32>(at);
    store<f64>(delta + (entry << 3), 0);
    store<u8>(marks + entry, 0);
  }
  store<u32>(change, 0);
}

function whole<Code>(step: usize): void {
  const target = <usize>load<u32>(step, 20);
  clear(target, <usize>load<u32>(step, 24) << 3);
  let map = <usize>load<u32>(step);
  let source = <usize>load<u32>(step, 12);
  const rows = <usize>load<u32>(step, 8);
  const four = map + (rows & ~3) * sizeof<Code>();
  const end = map + rows * sizeof<Code>();
  for (; map < four; map += 4 * sizeof<Code>()) {
    if (sizeof<Code>() == 1) {
      const codes = load<u32>(map);
      add(target, codes & 0xff, load<f64>(source));
      add(target, (codes >> 8) & 0xff, load<f64>(source, 8));
      add(target, (codes >> 16) & 0xff, load<f64>(source, 16));
      add(target, codes >> 24, load<f64>(source, 24));
    } else if (sizeof<Code>() == 2) {
      const codes = load<u64>(map);
      add(target, <usize>(codes & 0xffff), load<f64>(source));
      add(target, <usize>((codes >> 16) & 0xffff), load<f64>(source, 8));
      add(target, <usize>((codes >> 32) & 0xffff), load<f64>(source, 16));
      add(target, <usize>(codes >> 48), load<f64>(source, 24));
    } else {
      add(target, <usize>load<Code>(map), load<f64>(source));
      add(target, <usize>load<Code>(map, sizeof<Code>()), load<f64>(source, 8));
      add(target, <usize>load<Code>(map, 2 * sizeof<Code>()), load<f64>(source, 16));
      add(target, <usize>load<Code>(map, 3 * sizeof<Code>()), load<f64>(source, 24));
    }
    source += 32;
  }
  for (; map < end; map += sizeof<Code>()) {
    add(target, <usize>load<Code>(map), load<f64>(source));
    source += 8;
  }
}

function applied<Code>(step: usize, change: usize): void {
  const map = <usize>load<u32>(step);
  const target = <usize>load<u32>(step, 20);
  const delta = <usize>load<u32>(change, 8);
  let at = <usize>load<u32>(change, 4);
  for (const end = at + (<usize>load<u32>(change) << 2); at < end; at += 4) {
    const entry = <usize>load<u32>(at);
    const cell = target + (<usize>load<Code>(map + entry * sizeof<Code>()) << 3);
    store<f64>(cell, load<f64>(cell) + load<f64>(delta + (entry << 3)));
  }
}

function listed<Code>(step: usize, change: usize, after: usize): void {
  const map = <usize>load<u32>(step);
  const delta = <usize>load<u32>(change, 8);
  let at = <usize>load<u32>(change, 4);
  const end = at + (<usize>load<u32>(change) << 2);
  const list = <usize>load<u32>(after, 4);
  const deltas = <usize>load<u32>(after, 8);
  const marks = <usize>load<u32>(after, 12);
  let next = list;
  for (; at < end; at += 4) {
    const entry = <usize>load<u32>(at);
    const cell = <usize>load<Code>(map + entry * sizeof<Code>());
    const d = deltas + (cell << 3);
    store<f64>(d, load<f64>(d) + load<f64>(delta + (entry << 3)));
    // Written always and counted only when new: no branch to guess wrong.
    store<u32>(next, <u32>cell);
    next += <usize>(1 - <u32>load<u8>(marks + cell)) << 2;
    store<u8>(marks + cell, 1);
  }
  store<u32>(after, <u32>((next - list) >> 2));
}

// @ts-ignore: decorator
@inline
function add(table: usize, cell: usize, weight: f64): void {
  const p = table + (cell << 3);
  store<f64>(p, load<f64>(p) + weight);
}
