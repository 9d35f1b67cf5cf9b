/** A tag without the prefix of its name, or text between tags. */
export type Token =
  | { readonly open: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly close: string }
  | { readonly text: string };

const pattern =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g;

const plainName = (name: string): string => name.slice(name.indexOf(':') + 1);

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with its entities as the characters that they stand for. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** The tags and texts of XML, in order. Enough for what spreadsheets write: nothing is declared, and nothing is looked up outside. */
export function* xmlTokens(xml: string): Generator<Token> {
  for (const [, data, close, open, attributes, empty, text] of xml.matchAll(pattern))
    if (data !== undefined) yield { text: data };
    else if (close !== undefined) yield { close: plainName(close) };
    else if (open !== undefined) yield { open: plainName(open), attributes, isEmpty: empty === '/' };
    else if (text !== undefined) yield { text: unescaped(text) };
}

/** The value of an attribute, with whatever prefix; undefined where there is none. */
export const attributeOf = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found === null ? undefined : unescaped(found[1] ?? found[2]);
};
