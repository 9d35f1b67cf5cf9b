/** JSON with blanks in the place of comments, `//` to the end of a line and those between slashes and stars: every other sign stays where it is. */
export const withoutComments = (text: string): string => {
  let plain = '';
  let at = 0;
  const blank = (to: number): void => {
    plain += text.slice(at, to).replace(/[^\r\n]/g, ' ');
    at = to;
  };
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    if (text[at] === '"') {
      let end = at + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      plain += text.slice(at, end + 1);
      at = end + 1;
    } else if (two === '//') {
      const end = text.slice(at).search(/[\r\n]/);
      blank(end < 0 ? text.length : at + end);
    } else if (two === '/*' && text.indexOf('*/', at + 2) >= 0) blank(text.indexOf('*/', at + 2) + 2);
    else plain += text[at++];
  }
  return plain;
};
