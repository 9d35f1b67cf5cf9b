import { InputError } from './input-error.js';
import { limits } from './limits.js';

/**
 * JSON as `JSON.parse` reads it, which throws a `SyntaxError` for anything else; but what is nested more deeply than anything of ours is an
 * `InputError` that begins with `name`: writing or copying such a value would overflow the stack.
 */
export const parseJson = (text: string, name: string): unknown => {
  const depth = depthOf(text);
  if (depth > limits.jsonDepth)
    throw new InputError(
      `${name}: lists and objects must lie within one another at most ${limits.jsonDepth} deep, got ${depth}; write it flatter`,
    );
  return JSON.parse(text);
};

/** How deep brackets and braces go, texts aside. */
const depthOf = (text: string): number => {
  let [depth, most, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at++;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x5b || code === 0x7b) most = Math.max(most, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return most;
};
