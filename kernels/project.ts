// Weights of rows, summed by coarser and coarser projections. A program is a run of steps of ten u32 words: map, bytes of a
// map entry, rows, source, change of the source, target, cells, change of the target (0 where nothing follows it), list of
// the cells that any row falls into (0: all cells), their number. Steps follow a tree depth first, so the sums and changes
// of a level may share one place: a step finds what the last step one level above it has left. A change is a run of four
// words: how many entries changed, and the addresses of their list (u32), of the differences (f64) and of marks (u8).
// Additions run in the order of rows or of the list, as in the twin.
import { scatterAdd } from './weigh';

const STEP: usize = 40;

/** Makes the targets of `steps` steps anew from their sources. */
export function project(step: usize, steps: i32): void {
  for (const end = step + STEP * <usize>steps; step < end; step += STEP)
    if (load<u32>(step, 4) == 2) whole<u16>(step);
    else whole<u32>(step);
}

/** Adds the differences of the sources to what `project` has made: to the last targets only, others hand differences on. */
export function follow(step: usize, steps: i32): void {
  for (const end = step + STEP * <usize>steps; step < end; step += STEP) {
    const change = <usize>load<u32>(step, 16);
    const after = <usize>load<u32>(step, 28);
    const narrow = load<u32>(step, 4) == 2;
    if (after != 0) {
      forget(after);
      if (narrow) listed<u16>(step, change, after);
      else listed<u32>(step, change, after);
    } else if (narrow) applied<u16>(step, change);
    else applied<u32>(step, change);
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
  const map = <usize>load<u32>(step);
  const rows = <usize>load<u32>(step, 8);
  const source = <usize>load<u32>(step, 12);
  const target = <usize>load<u32>(step, 20);
  let touched = <usize>load<u32>(step, 32);
  if (touched == 0) memory.fill(target, 0, <usize>load<u32>(step, 24) << 3);
  else
    for (const end = touched + <usize>load<u32>(step, 36) * sizeof<Code>(); touched < end; touched += sizeof<Code>())
      store<f64>(target + (<usize>load<Code>(touched) << 3), 0);
  if (sizeof<Code>() == 2) scatterAdd16(map, source, target, rows);
  else scatterAdd(map, source, target, rows);
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

/** table[index[i]] += weight[i] with 16-bit indices. */
function scatterAdd16(index: usize, weights: usize, table: usize, rows: usize): void {
  const whole = index + ((rows << 1) & ~7);
  const end = index + (rows << 1);
  for (; index < whole; index += 8) {
    add(table, load<u16>(index), load<f64>(weights));
    add(table, load<u16>(index, 2), load<f64>(weights, 8));
    add(table, load<u16>(index, 4), load<f64>(weights, 16));
    add(table, load<u16>(index, 6), load<f64>(weights, 24));
    weights += 32;
  }
  for (; index < end; index += 2) {
    add(table, load<u16>(index), load<f64>(weights));
    weights += 8;
  }
}

// @ts-ignore: decorator
@inline
function add(table: usize, cell: u16, weight: f64): void {
  const p = table + (<usize>cell << 3);
  store<f64>(p, load<f64>(p) + weight);
}
