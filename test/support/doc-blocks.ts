/** An example in a document. */
export interface Block {
  /** The document and the line it begins on, to find it by. */
  readonly where: string;
  /** `ts`, `json`, `sh`; anything else is there to be looked at. */
  readonly kind: string;
  readonly lines: readonly string[];
  /** Why it is not run, from a comment `<!-- not run: reason -->` right before it. */
  readonly notRun?: string;
}

/** All examples of a document: fenced ones by their language, indented ones by what they look like. */
export const blocksOf = (name: string, text: string): Block[] => {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  const add = (start: number, kind: string, body: readonly string[]): void => {
    const before = lines.slice(0, start).filter((line) => line.trim() !== '');
    const notRun = /<!-- not run: (.+?) -->/.exec(before[before.length - 1] ?? '')?.[1];
    blocks.push({ where: `${name}:${start + 1}`, kind, lines: body, ...(notRun === undefined ? {} : { notRun }) });
  };
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\w*)/.exec(lines[at]);
    if (fence) {
      const end = lines.indexOf('```', at + 1);
      add(at, fence[1], lines.slice(at + 1, end));
      at = end;
    } else if (lines[at].startsWith('    ') && (lines[at - 1] ?? '').trim() === '') {
      let end = at;
      while (lines[end]?.startsWith('    ')) end++;
      const body = lines.slice(at, end).map((line) => line.slice(4));
      add(at, kindOf(body[0]), body);
      at = end;
    }
  }
  return blocks;
};

/** The examples of a module: what follows `@example` in its comments, fenced. */
export const examplesOf = (name: string, text: string): Block[] =>
  [...text.matchAll(/^ \* @example\n \* ```ts\n((?: \* .*\n)+?) \* ```$/gm)].map((match) => ({
    where: `${name}:${text.slice(0, match.index).split('\n').length}`,
    kind: 'ts',
    lines: match[1]
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(3)),
  }));

const kindOf = (line: string): string => {
  if (/^(surmise|npx|npm|cd) /.test(line)) return 'sh';
  if (/^(import |const |await |let )/.test(line)) return 'ts';
  return line.startsWith('{') ? 'json' : '';
};
