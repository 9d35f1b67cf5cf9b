import { InputError } from '../../src/index.js';
import { command } from '../command.js';
import { completionFacts } from '../completion/facts.js';
import { shells } from '../completion/shells.js';
import { shellNames } from '../options/command-table.js';

export default command({
  name: 'completion',
  usage: [shellNames.join('|'), '--json'],
  about: `Prints a completion script for a shell: commands, options, words of choices, names of mechanisms, files and folders.

  bash    source <(surmise completion bash)                                   in ~/.bashrc
  zsh     source <(surmise completion zsh)                                    in ~/.zshrc, after compinit
  fish    surmise completion fish > ~/.config/fish/completions/surmise.fish   once

The script is made from the table that the command line itself reads. --json prints that table, for other shells and editors.`,
  examples: ['surmise completion bash > ~/.local/share/bash-completion/completions/surmise'],
  run: async ({ values, operands }, io) => {
    const [shell] = operands as readonly (string | undefined)[];
    if (values.json) {
      io.out(`${JSON.stringify(completionFacts, null, 2)}\n`);
      return;
    }
    if (shell === undefined || !Object.hasOwn(shells, shell))
      throw new InputError(
        `completion: must be followed by ${shellNames.slice(0, -1).join(', ')} or ${shellNames.at(-1)}, got ${shell === undefined ? 'none' : JSON.stringify(shell)}; see surmise completion --help`,
      );
    io.out(shells[shell as keyof typeof shells](completionFacts));
  },
});
