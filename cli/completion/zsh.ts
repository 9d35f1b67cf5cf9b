import type { Completion } from '../options/kinds.js';
import { briefly, type CommandFacts, type OptionFacts, quoted } from './facts.js';

/** What zsh's \`_arguments\` does for a value. */
const action = (complete: Completion): string => {
  switch (complete.kind) {
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'words':
      return complete.list ? `_values -s , value ${complete.words.join(' ')}` : `(${complete.words.join(' ')})`;
    case 'words-or-file':
      return `{ compadd -- ${complete.words.join(' ')}; _files }`;
    case 'none':
      return ' ';
  }
};

/** In a specification a colon ends a part, and brackets hold the description. */
const plain = (text: string): string => text.replace(/[\\:[\]]/g, '\\$&');

const specification = ({ name, short, value, help, many, complete }: OptionFacts): string => {
  const rest = `[${plain(briefly(help))}]${value === undefined ? '' : `:${plain(value)}:${action(complete)}`}`;
  const long = `--${name}${value === undefined ? '' : '='}`;
  if (many) return quoted(`*${long}${rest}`);
  if (short === undefined) return quoted(`${long}${rest}`);
  const brief = `-${short}${value === undefined ? '' : '+'}`;
  return `${quoted(`(-${short} --${name})`)}{${quoted(brief)},${quoted(long)}}${quoted(rest)}`;
};

const branch = ({ name, options, operands }: CommandFacts): string => {
  const specifications = [
    ...options.map(specification),
    ...operands.map(({ name: operand, optional, complete }, i) =>
      quoted(`${i + 1}:${optional ? ':' : ''}${plain(operand)}:${action(complete)}`),
    ),
  ];
  return `    ${name})
      _arguments -s -S \\
        ${specifications.join(' \\\n        ')} ;;`;
};

/** Completion for zsh, to be sourced after compinit or put into a folder of $fpath as _surmise. */
export const zshScript = (commands: readonly CommandFacts[]): string => `#compdef surmise
# Completion of surmise for zsh, made by: surmise completion zsh

_surmise() {
  local -a commands=(
    ${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join('\n    ')}
    'help:explain a command'
  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help)
      _describe -t commands 'command' commands ;;
${commands.map(branch).join('\n')}
  esac
}

if [[ $funcstack[1] == _surmise ]]; then
  _surmise "$@"
else
  compdef _surmise surmise
fi
`;
