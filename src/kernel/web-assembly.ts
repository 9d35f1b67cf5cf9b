/**
 * The part of the platform's WebAssembly that the engine uses, typed here because Node's types leave it out and a
 * browser's types are not for the code around `src/`.
 */
export interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  /** Adds pages of 64 KiB; throws when it cannot. */
  grow(pages: number): number;
}

/** A compiled module; workers receive it as it is. */
export type WasmModule = object;

interface WasmPlatform {
  /** Whether the platform knows everything that a module uses. */
  validate(bytes: Uint8Array): boolean;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<{ readonly exports: object }>;
  readonly Memory: new (options: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WasmPlatform }).WebAssembly;
