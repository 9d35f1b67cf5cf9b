const brand: unique symbol = Symbol('safe HTML');

/** Text that may stand in a page as it is: made by the functions of this file only. */
export interface Html {
  readonly [brand]: string;
}

type Part = Html | string | number | readonly Html[] | undefined;

/** Turned into a visible sign: they could end a line, hide a text, or turn its direction. */
const unseen = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A name or value as people are to see it: no control characters, no marks that reorder what stands around it. */
export const visible = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').replace(unseen, '\ufffd');

/** Any text as it must be written in elements and in quoted attributes. */
export const escaped = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);

/** Text that is HTML already, such as a plot: for what this package made itself, never for what came with the data. */
export const trusted = (text: string): Html => ({ [brand]: text });

export const textOf = (part: Html): string => part[brand];

const written = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  if (typeof part === 'number') return String(part);
  return brand in part ? part[brand] : part.map(textOf).join('');
};

/** A template of HTML. Everything put into it is escaped unless it is HTML itself; undefined is nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  trusted(strings.reduce((all, string, i) => all + written(parts[i - 1]) + string));

/** A text cut to `most` characters, with an ellipsis where something is missing. */
export const cut = (text: string, most: number): string => {
  const letters = [...visible(text)];
  return letters.length <= most
    ? letters.join('')
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
};

/** A name in a narrow place: cut, and whole under the pointer. */
export const named = (text: string, most: number): Html =>
  cut(text, most) === visible(text)
    ? html`<span>${text}</span>`
    : html`<span title="${text}">${cut(text, most)}</span>`;
