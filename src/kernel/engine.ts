import { type Arena, arenaLimit, createArena } from './arena.js';
import { fusedShared, fusedSingle, shared as sharedBinary, single as singleBinary } from './binary.js';
import type { Kernels, NetworkKernels } from './kernels.js';
import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.js';

/** A memory with the kernels over it. */
export interface Engine<Own = Kernels> {
  readonly kernels: Own;
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

/** Compiled modules are kept, by their text: they hold no state. */
const modules = new Map<string, Promise<WasmModule>>();

const bytesOf = (binary: string): Uint8Array => Uint8Array.from(atob(binary), (letter) => letter.charCodeAt(0));

const compile = (binary: string): Promise<WasmModule> => {
  const known = modules.get(binary);
  if (known) return known;
  const module = held(webAssembly.compile(bytesOf(binary)));
  modules.set(binary, module);
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

const engineOf = async (binary: string, shared: boolean): Promise<Engine> => {
  const module = await compile(binary);
  const { memory, limit } = createMemory(shared);
  const { exports } = await held(webAssembly.instantiate(module, { env: { memory } }));
  return { kernels: exports as unknown as Kernels, arena: createArena(memory, limit), memory, module, shared };
};

interface EngineOptions {
  readonly shared?: boolean | undefined;
}

/** Compiles the kernels (once) and sets up a memory of their own, shared when asked for and possible. */
export const createEngine = async ({ shared: asked = false }: EngineOptions = {}): Promise<Engine> => {
  const shared = asked && canShare();
  return engineOf(shared ? sharedBinary : singleBinary, shared);
};

/**
 * The same for the kernels of networks, with products and sums of matrix products fused where the platform has relaxed SIMD: faster, and
 * rounded once where it is otherwise twice. For what is counted, charged or compared bit by bit there is no such build.
 */
export const createNetworkEngine = async ({
  shared: asked = false,
}: EngineOptions = {}): Promise<Engine<NetworkKernels>> => {
  const shared = asked && canShare();
  const fused = shared ? fusedShared : fusedSingle;
  return webAssembly.validate(bytesOf(fused)) ? engineOf(fused, shared) : createEngine({ shared });
};
