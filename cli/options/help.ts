import type { Command } from '../command.js';
import type { Option } from './option.js';
import { optionsOf } from './table.js';

const width = 120;

/** The whole text of `surmise NAME --help`, without a newline at its end. */
export const helpText = (command: Command): string => {
  const { name, usage, about, more, examples } = command;
  const calls = usage.map((line, i) => `${i === 0 ? 'usage:' : '      '} surmise ${name} ${line}`.trimEnd());
  const example = examples.length === 1 ? `example: ${examples[0]}` : `example:\n  ${examples.join('\n  ')}`;
  return [calls.join('\n'), about, optionLines(optionsOf(name)), ...(more ? [more()] : []), example].join('\n\n');
};

const label = ({ name, short, kind, value = kind.value }: Option): string =>
  `  ${short === undefined ? '   ' : `-${short},`} --${name}${value === undefined ? '' : ` ${value}`}`;

const optionLines = (options: readonly Option[]): string => {
  const indent = Math.max(...options.map((option) => label(option).length)) + 2;
  return options
    .map(
      (option) =>
        label(option).padEnd(indent) + wrapped(sentence(option), width - indent).join(`\n${' '.repeat(indent)}`),
    )
    .join('\n');
};

const sentence = ({ help, many, kind, otherwise }: Option): string => {
  const text = many ? `${help}; may be given several times` : help;
  if (otherwise === undefined) return text;
  return kind.complete.kind === 'words' ? `${text}; ${otherwise} unless told` : `${text} (${otherwise})`;
};

/** Lines of at most so many characters, cut at spaces. */
const wrapped = (text: string, most: number): string[] => {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
};
