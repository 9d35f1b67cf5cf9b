import { createInterface } from 'node:readline/promises';
import type { Answerable } from '../../adapters/index.js';
import { answerSql, InputError, type SqlOptions } from '../../src/index.js';
import type { Io } from '../command.js';
import { answerText, boundsOf } from '../text/answer-text.js';
import { attributeTable } from '../text/attribute-table.js';
import { inputSentence } from '../text/hint-words.js';
import { dim } from './print.js';

const help = `Type a statement and end it with ; or an empty line, for example
  SELECT SHARE() FROM data;
.schema   the attributes and their values
.help     this text
.quit     leave (or Ctrl-D)
What can be asked is in surmise query --help.
`;

/** What the prompt reads from and writes to. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks for statements until the person leaves; a mistake is told, and the prompt goes on. */
export const queryPrompt = async (
  bundle: Answerable,
  options: SqlOptions,
  io: Io,
  { input, output }: Terminal,
): Promise<void> => {
  const names = bundle.model.domain.attributes.map(({ name }) => name);
  const words = [
    'SELECT',
    'FROM data',
    'WHERE',
    'GROUP BY',
    'ORDER BY',
    'COUNT(*)',
    'SUM(',
    'AVG(',
    'MEDIAN(',
    'MIN(',
    'MAX(',
    'CASE WHEN',
    'LIKE',
    'SHARE()',
    ...names,
  ];
  const lines = createInterface({
    input,
    output,
    terminal: true,
    prompt: 'surmise> ',
    completer: (line: string): [string[], string] => {
      const [begun] = /[\w"]*$/.exec(line)!;
      const found = words.filter((word) => begun !== '' && word.toLowerCase().startsWith(begun.toLowerCase()));
      return [found, begun];
    },
  });
  let begun = '';
  const ask = (): void => {
    lines.setPrompt(begun === '' ? 'surmise> ' : '    ...> ');
    lines.prompt();
  };
  // Ctrl-C drops what was begun; with nothing begun it leaves.
  lines.on('SIGINT', () => {
    if (begun === '' && lines.line === '') return lines.close();
    begun = '';
    output.write('\n');
    ask();
  });
  io.out(`${dim('Answers cost no privacy. End statements with ;  .help tells more.', io)}\n`);
  const bounds = boundsOf(bundle);
  if (bounds !== undefined) io.out(`${dim(bounds, io)}\n`);
  ask();
  for await (const line of lines) {
    const word = line.trim().toLowerCase();
    if (begun === '' && word.startsWith('.')) {
      if (word === '.quit' || word === '.exit') break;
      io.out(word === '.schema' ? attributeTable({ schema: bundle.schema, notes: [] }, io) : help);
    } else {
      begun += `${begun && '\n'}${line}`;
      if (begun.trim() === '') begun = '';
      else if (line.trimEnd().endsWith(';') || line.trim() === '') {
        respond(begun, bundle, options, io);
        begun = '';
      }
    }
    ask();
  }
  lines.close();
};

const respond = (text: string, bundle: Answerable, options: SqlOptions, io: Io): void => {
  try {
    for (const answer of answerSql(text, bundle, options)) io.out(answerText(answer, io));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    io.err(`${inputSentence(error)}\n`);
  }
};
