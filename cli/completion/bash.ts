import type { Completion } from '../options/kinds.js';
import { type CommandFacts, quoted, spellings, valued } from './facts.js';

/** Hints of this script: a marked one says where words come from, any other is the words themselves. */
const hint = (complete: Completion): string => {
  switch (complete.kind) {
    case 'file':
    case 'folder':
      return `@${complete.kind}`;
    case 'words':
      return `${complete.list ? '@list ' : ''}${complete.words.join(' ')}`;
    case 'words-or-file':
      return `@either ${complete.words.join(' ')}`;
    case 'none':
      return '';
  }
};

const branch = (command: CommandFacts): string => {
  const { name, options, operands } = command;
  const places = [
    ...options.map((option) => ({ place: spellings(option).join('|'), offered: hint(option.complete) })),
    ...operands.map(({ complete }, i) => ({ place: `@${i}`, offered: hint(complete) })),
  ];
  const cases = places
    .filter(({ offered }) => offered !== '')
    .map(({ place, offered }) => `${place}) hint=${quoted(offered)} ;;`);
  return `    ${name})
      options=${quoted(options.flatMap(spellings).join(' '))}
      valued=${quoted(valued(command).join(' '))}
      _surmise_place
      case $place in
        ${[...cases, '*) ;;'].join('\n        ')}
      esac ;;`;
};

/** Completion for bash, from 3.2 on. */
export const bashScript = (
  commands: readonly CommandFacts[],
): string => `# Completion of surmise for bash, made by: surmise completion bash

# What is being typed: the option whose value it is, or @ and the number of the operand. Bash takes = for a word of its own.
_surmise_place() {
  local -i i at=0
  local word pending=
  for ((i = 2; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then continue
    elif [[ -n $pending ]]; then pending=
    elif [[ " $valued " == *" $word "* ]]; then pending=$word
    elif [[ $word != -* ]]; then at+=1
    fi
  done
  place=\${pending:-@$at}
}

_surmise_reply() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}

_surmise() {
  local cur=\${COMP_WORDS[COMP_CWORD]} options= valued= place= hint=
  COMPREPLY=()
  [[ $cur == '=' ]] && cur=
  if ((COMP_CWORD == 1)); then
    _surmise_reply < <(compgen -W ${quoted([...commands.map(({ name }) => name), 'help', '--help', '--version'].join(' '))} -- "$cur")
    return
  fi
  case \${COMP_WORDS[1]} in
    help) hint=${quoted(commands.map(({ name }) => name).join(' '))} ;;
${commands.map(branch).join('\n')}
  esac
  if [[ $place == @* && ( $cur == -* || -z $hint ) ]]; then hint=$options; fi
  case $hint in
    @file) compopt -o filenames 2>/dev/null; _surmise_reply < <(compgen -f -- "$cur") ;;
    @folder) compopt -o filenames 2>/dev/null; _surmise_reply < <(compgen -d -- "$cur") ;;
    '@either '*)
      compopt -o filenames 2>/dev/null
      _surmise_reply < <(compgen -W "\${hint#@either }" -- "$cur"; compgen -f -- "$cur") ;;
    '@list '*) _surmise_reply < <(compgen -P "\${cur%"\${cur##*,}"}" -W "\${hint#@list }" -- "\${cur##*,}") ;;
    *) _surmise_reply < <(compgen -W "$hint" -- "$cur") ;;
  esac
}

complete -F _surmise surmise
`;
