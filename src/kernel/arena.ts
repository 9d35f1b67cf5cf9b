import type { WasmMemory } from './web-assembly.js';

/** Stretches of kernel memory seen as typed arrays. Views are made anew after the memory has grown; do not keep them. */
export interface Region<View> {
  /** Byte offset, what kernels take. */
  readonly address: number;
  /** Number of elements. */
  readonly length: number;
  /** The elements, uninitialised at first. Read it again after anything that may have grown the arena. */
  readonly view: View;
}

/**
 * A bump allocator over one WebAssembly memory: allocation moves a mark, release moves it back. Nothing is zeroed,
 * nothing is freed one by one. The memory grows as needed, up to 4 GiB less one page.
 */
export interface Arena {
  readonly memory: WasmMemory;
  /** Bytes that may still be allocated. */
  readonly available: number;
  /** Reserves bytes and returns their address, a multiple of 16. */
  allocate(bytes: number): number;
  /** The present mark, to release everything allocated after it. */
  mark(): number;
  release(mark: number): void;
  u8(length: number): Region<Uint8Array>;
  u16(length: number): Region<Uint16Array>;
  u32(length: number): Region<Uint32Array>;
  f32(length: number): Region<Float32Array>;
  f64(length: number): Region<Float64Array>;
}

const page = 0x10000;
/** The first page is left to the module's own constants. */
const start = page;
/** The last page stays unused, so that no end address wraps around to 0. */
export const arenaLimit = 0x100000000 - page;

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;

type ViewType<View> = new (buffer: ArrayBufferLike, offset: number, length: number) => View;

/** An arena over a memory of at least one page, which must be the arena's alone; `limit` bytes are never exceeded. */
export const createArena = (memory: WasmMemory, limit = arenaLimit): Arena => {
  let top = start;

  const grow = (end: number): void => {
    const missing = Math.ceil((end - memory.buffer.byteLength) / page);
    if (missing <= 0) return;
    try {
      memory.grow(missing);
    } catch {
      throw new RangeError(`kernel memory: ${size(end)} are needed, and the system did not grant them`);
    }
  };

  const allocate = (bytes: number): number => {
    const address = top;
    const end = address + Math.ceil(bytes / 16) * 16;
    if (!(bytes >= 0) || end > limit)
      throw new RangeError(`kernel memory: must stay below ${size(limit)}, got a need of ${size(address + bytes)}`);
    grow(end);
    top = end;
    return address;
  };

  const region = <View>(View: ViewType<View>, bytes: number, length: number): Region<View> => {
    const address = allocate(bytes * length);
    let buffer = memory.buffer;
    let view = new View(buffer, address, length);
    return {
      address,
      length,
      get view() {
        if (buffer !== memory.buffer) {
          buffer = memory.buffer;
          view = new View(buffer, address, length);
        }
        return view;
      },
    };
  };

  return {
    memory,
    get available() {
      return limit - top;
    },
    allocate,
    mark: () => top,
    release: (mark) => {
      if (mark < start || mark > top)
        throw new RangeError('arena: a mark must be released once, and before older ones');
      top = mark;
    },
    u8: (length) => region<Uint8Array>(Uint8Array, 1, length),
    u16: (length) => region<Uint16Array>(Uint16Array, 2, length),
    u32: (length) => region<Uint32Array>(Uint32Array, 4, length),
    f32: (length) => region<Float32Array>(Float32Array, 4, length),
    f64: (length) => region<Float64Array>(Float64Array, 8, length),
  };
};
