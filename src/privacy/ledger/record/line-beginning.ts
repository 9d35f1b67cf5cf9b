/**
 * Whether bytes are the beginning of a ledger's line and not the whole of one: what a crash or a full disk leaves of a write,
 * since the bytes of a write reach a file from the first on. Anything else in that place (zeroes, a line with a changed
 * letter, another text) was not left by a write, and counts as damage. `closing` starts the last member of every line.
 */
export const isBeginning = (bytes: Uint8Array, closing: string): boolean => {
  let text: string;
  try {
    // A letter of several bytes may be cut, so the end of the text is left open.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return false;
  }
  const first = '{"seq":';
  if (text.length <= first.length) return first.startsWith(text);
  if (!text.startsWith(first)) return false;
  const cut = text.lastIndexOf(closing);
  // The hash and what comes behind it, one sign short of whole at most.
  if (cut >= 0)
    return /^[0-9a-f]{0,63}$|^[0-9a-f]{64}"?$/.test(text.slice(cut + closing.length)) && inObject(text, cut);
  for (let length = closing.length - 1; length > 0; length--)
    if (text.endsWith(closing.slice(0, length)) && inObject(text, text.length - length)) return true;
  return beginsObject(text);
};

/** Whether the text up to `end` is a JSON object that lacks nothing but its brace. */
const inObject = (text: string, end: number): boolean => {
  try {
    JSON.parse(`${text.slice(0, end)}}`);
    return true;
  } catch {
    return false;
  }
};

/** A string, with its end or cut; a number; a word: as JSON.stringify writes them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*(?:"|\\?$|\\u[0-9a-f]{0,3}$)/y;
const numberToken = /-?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?|-$/y;
const words = ['true', 'false', 'null'];

/** Whether the text is the beginning of JSON as JSON.stringify writes an object: tokens without spaces, in their order. */
const beginsObject = (text: string): boolean => {
  const open: ('{' | '[')[] = [];
  let at = 0;
  /** What may come next. */
  let due: 'value' | 'first' | 'key' | 'colon' | 'more' = 'value';
  const token = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return false;
    at = pattern.lastIndex;
    return true;
  };
  const after = (): void => {
    due = 'more';
  };
  while (at < text.length) {
    const sign = text[at];
    const inner = open[open.length - 1];
    if (due === 'colon') {
      if (sign !== ':') return false;
      at++;
      due = 'value';
    } else if (due === 'more') {
      if (sign === ',') due = inner === '{' ? 'key' : 'value';
      else if (sign === (inner === '{' ? '}' : ']') && open.length > 1) open.pop();
      else return false;
      at++;
    } else if (due === 'first' && sign === (inner === '{' ? '}' : ']')) {
      if (open.length === 1) return false;
      open.pop();
      at++;
      due = 'more';
    } else if (due === 'key' || (due === 'first' && inner === '{')) {
      if (!token(stringToken)) return false;
      due = 'colon';
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      at++;
      due = 'first';
    } else {
      const rest = text.slice(at);
      const word = words.find((one) => rest.startsWith(one) || one.startsWith(rest));
      if (word !== undefined) at += Math.min(word.length, rest.length);
      else if (!token(stringToken) && !token(numberToken)) return false;
      after();
    }
  }
  return true;
};
