import type { shellNames } from '../options/command-table.js';
import { bashScript } from './bash.js';
import type { CommandFacts } from './facts.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

/** The shells that can be taught, each with what makes its script. */
export const shells = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Readonly<Record<(typeof shellNames)[number], (commands: readonly CommandFacts[]) => string>>;
