/** A sign of a pattern: a text that stands for itself, any one sign (`_`), or any number of them (`%`). */
type Sign = { readonly text: string } | 'one' | 'any';

/** Reads a pattern of LIKE; undefined where it ends with the sign of escape, which must be followed by another. */
export const likePattern = (pattern: string, escapedBy: string): readonly Sign[] | undefined => {
  const signs: Sign[] = [];
  let escaped = false;
  for (const sign of pattern) {
    if (!escaped && sign === escapedBy) escaped = true;
    else {
      signs.push(escaped ? { text: sign } : sign === '_' ? 'one' : sign === '%' ? 'any' : { text: sign });
      escaped = false;
    }
  }
  return escaped ? undefined : signs;
};

/** Whether a pattern leaves anything open. */
export const isOpen = (signs: readonly Sign[]): boolean => signs.some((sign) => typeof sign === 'string');

/**
 * Whether texts are like a pattern, sign by sign (a sign is a code point). Only the last `%` is ever reconsidered, so that the work is at most
 * the product of the two lengths, whatever the pattern.
 */
export const likeness = (signs: readonly Sign[], anyCase: boolean): ((text: string) => boolean) => {
  const fold = (text: string): string => (anyCase ? text.toLowerCase() : text);
  const pattern = signs.map((sign) => (typeof sign === 'string' ? sign : { text: fold(sign.text) }));
  return (text) => {
    const given = Array.from(text, fold);
    let [at, sign] = [0, 0];
    let retry: readonly [at: number, sign: number] | undefined;
    while (at < given.length) {
      const wanted = pattern[sign];
      if (wanted === 'any') retry = [at, ++sign];
      else if (wanted === 'one' || (typeof wanted === 'object' && wanted.text === given[at])) {
        at++;
        sign++;
      } else if (retry === undefined) return false;
      else {
        retry = [retry[0] + 1, retry[1]];
        [at, sign] = retry;
      }
    }
    while (pattern[sign] === 'any') sign++;
    return sign === pattern.length;
  };
};
