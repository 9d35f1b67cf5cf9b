import path from 'node:path';
import { InputError } from '../../src/index.js';

/** What a plot is to be written as, by the ending of the file's name. */
export const plotForm = (file: string): 'html' | 'svg' => {
  const ending = path.extname(file).toLowerCase();
  if (ending === '.html') return 'html';
  if (ending === '.svg') return 'svg';
  throw new InputError(`option --out: must end in .html or .svg, got ${JSON.stringify(file)}`);
};
