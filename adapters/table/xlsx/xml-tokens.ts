/** A tag without the prefix of its name, or text between tags. */
export type Token =
  | { readonly open: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly close: string }
  | { readonly text: string };

const plainName = (name: string): string => name.slice(name.indexOf(':') + 1);

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with its entities as the characters that they stand for. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return (Object.hasOwn(named, name) ? named[name] : undefined) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Where a tag ends that begins here: at the first > outside quotes; -1 where it does not. */
const endOfTag = (xml: string, from: number): number => {
  let quote = '';
  for (let at = from; at < xml.length; at++) {
    const sign = xml[at];
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at;
  }
  return -1;
};

const marks = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '>'],
  ['<!', '>'],
] as const;

/**
 * The tags and texts of XML, in order. Enough for what spreadsheets write: nothing is declared, and nothing is looked up outside. Every sign is looked at
 * once; what is cut off at the end is left out.
 */
export function* xmlTokens(xml: string): Generator<Token> {
  for (let at = 0; at < xml.length; ) {
    if (xml[at] !== '<') {
      const next = xml.indexOf('<', at);
      const end = next < 0 ? xml.length : next;
      yield { text: unescaped(xml.slice(at, end)) };
      at = end;
      continue;
    }
    const mark = marks.find(([begin]) => xml.startsWith(begin, at));
    if (mark !== undefined) {
      const [begin, close] = mark;
      const end = xml.indexOf(close, at + begin.length);
      if (end < 0) return;
      if (begin === '<![CDATA[') yield { text: xml.slice(at + begin.length, end) };
      at = end + close.length;
      continue;
    }
    const end = endOfTag(xml, at + 1);
    if (end < 0) return;
    const inside = xml.slice(at + 1, end);
    const isEmpty = inside.endsWith('/');
    const [name = ''] = /^\/?[^\s/]*/.exec(inside) ?? [];
    if (name.startsWith('/')) yield { close: plainName(name.slice(1)) };
    else if (name !== '')
      yield {
        open: plainName(name),
        attributes: inside.slice(name.length, isEmpty ? -1 : undefined),
        isEmpty,
      };
    at = end + 1;
  }
}

/** The value of an attribute, with whatever prefix; undefined where there is none. */
export const attributeOf = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found === null ? undefined : unescaped(found[1] ?? found[2]);
};
