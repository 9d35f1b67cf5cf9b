import { type Arena, arenaLimit, createArena } from './arena.js';
import { shared as sharedBinary, single as singleBinary } from './binary.js';
import type { Kernels } from './kernels.js';
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.js';

/** A memory with the kernels over it. */
export interface Engine {
  readonly kernels: Kernels;
  readonly arena: Arena;
  readonly memory: WasmMemory;
  /** The compiled module, which a worker instantiates over the same memory when that is shared. */
  readonly module: WasmModule;
  readonly shared: boolean;
}

/**
 * Waits for the platform with the event loop kept busy: Node, when nothing else is pending, waits for its background threads in a
 * way that can lock with a garbage collection that one of them asks for.
 */
const held = async <T>(work: Promise<T>): Promise<T> => {
  const timer = setInterval(() => {}, 1000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
};

/** Compiled modules are kept: they hold no state. */
const modules = new Map<boolean, Promise<WasmModule>>();

const compile = (shared: boolean): Promise<WasmModule> => {
  const known = modules.get(shared);
  if (known) return known;
  const bytes = Uint8Array.from(atob(shared ? sharedBinary : singleBinary), (letter) => letter.charCodeAt(0));
  const module = held(webAssembly.compile(bytes));
  modules.set(shared, module);
  return module;
};

/** A memory of the largest maximum that the platform reserves address space for: 4 GiB, or half of it, and so on. */
const createMemory = (shared: boolean): { memory: WasmMemory; limit: number } => {
  for (let maximum = 65536; ; maximum /= 2) {
    try {
      const memory = new webAssembly.Memory({ initial: 1, maximum, shared });
      return { memory, limit: Math.min(arenaLimit, maximum * 65536) };
    } catch (error) {
      if (maximum <= 1024) throw error;
    }
  }
};

/** True where memory can be shared among workers: in Node always, in a browser on cross-origin isolated pages. */
const canShare = (): boolean =>
  typeof SharedArrayBuffer === 'function' &&
  (globalThis as { crossOriginIsolated?: boolean | undefined }).crossOriginIsolated !== false;

/** Compiles the kernels (once) and sets up a memory of their own, shared when asked for and possible. */
export const createEngine = async (options: { readonly shared?: boolean | undefined } = {}): Promise<Engine> => {
  const shared = (options.shared ?? false) && canShare();
  const module = await compile(shared);
  const { memory, limit } = createMemory(shared);
  const { exports } = await held(webAssembly.instantiate(module, { env: { memory } }));
  return { kernels: exports as unknown as Kernels, arena: createArena(memory, limit), memory, module, shared };
};
