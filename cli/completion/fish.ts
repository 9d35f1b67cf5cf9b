import type { Completion } from '../options/kinds.js';
import { briefly, type CommandFacts, valued } from './facts.js';

/** Within single quotes fish knows two escapes. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

/** How fish completes a value; files are off unless asked for. */
const offer = (complete: Completion): string => {
  switch (complete.kind) {
    case 'file':
      return '-r -F';
    case 'folder':
      return "-x -a '(__fish_complete_directories)'";
    case 'words':
      return `-x -a ${quoted(complete.list ? `(__fish_append , ${complete.words.join(' ')})` : complete.words.join(' '))}`;
    case 'words-or-file':
      return `-r -F -a ${quoted(complete.words.join(' '))}`;
    case 'none':
      return '-x';
  }
};

const linesOf = (command: CommandFacts): string[] => {
  const { name, summary, options, operands } = command;
  const inside = quoted(`__surmise_is ${name}`);
  return [
    `complete -c surmise -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...options.map(({ name: option, short, value, help, complete }) =>
      [
        `complete -c surmise -n ${inside} -l ${option}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(value === undefined ? [] : [offer(complete)]),
        `-d ${quoted(briefly(help))}`,
      ].join(' '),
    ),
    ...operands
      .filter(({ complete }) => complete.kind !== 'none')
      .map(({ complete }, i) => {
        const here = quoted(`__surmise_at ${name} ${i} ${valued(command).join(' ')}`);
        return `complete -c surmise -n ${here} ${offer(complete).replace(/^-[rx] ?/, '')}`.trimEnd();
      }),
  ];
};

/** Completion for fish. */
export const fishScript = (
  commands: readonly CommandFacts[],
): string => `# Completion of surmise for fish, made by: surmise completion fish

function __surmise_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = $argv[1]
end

# Whether operand number $argv[2] (from 0) of the command $argv[1] is being typed; then follow its options that take a value.
function __surmise_at
    __surmise_is $argv[1]; or return 1
    set -l words (commandline -opc)
    set -e words[1..2]
    set -l at 0
    set -l pending 0
    for word in $words
        if test $pending = 1
            set pending 0
        else if contains -- $word $argv[3..-1]
            set pending 1
        else if not string match -q -- '-*' $word
            set at (math $at + 1)
        end
    end
    test $pending = 0; and test $at = $argv[2]
end

complete -c surmise -f
${commands.flatMap(linesOf).join('\n')}
`;
