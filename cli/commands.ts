import type { Command } from './command.js';

/** Every command by name, in the order of `surmise --help`; each is a module of its own, loaded when it is needed. */
export const commands: Readonly<Record<string, () => Promise<{ default: Command }>>> = {};
