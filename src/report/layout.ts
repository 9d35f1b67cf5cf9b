import { type Html, html } from './html.js';

/** A part of the report with a heading that the contents name. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** A column of a table: its heading, and whether it holds numbers. */
export interface Column {
  readonly title: string;
  readonly number?: boolean | undefined;
}

export type Cell = string | Html;

/** From so many columns on, the rows of a table stand as small blocks with named values where there is no room for them. */
const manyColumns = 4;

const cell = (tag: 'td' | 'th', { number = false }: Column, content: Cell, label?: string): Html => {
  const kind = number ? html` class="number"` : html``;
  const named = label === undefined ? html`` : html` data-label="${label}"`;
  return tag === 'th' ? html`<th scope="col"${kind}>${content}</th>` : html`<td${kind}${named}>${content}</td>`;
};

/** A table in a box that scrolls when it is very long. */
export const table = (columns: readonly Column[], rows: readonly (readonly Cell[])[], caption?: string): Html => {
  const many = columns.length >= manyColumns;
  const head = columns.map((column) => cell('th', column, column.title));
  const body = rows.map(
    (row) =>
      html`<tr>${columns.map((column, i) => cell('td', column, row[i] ?? '', many && i > 0 ? column.title : undefined))}</tr>`,
  );
  const whole = html`<table>${caption === undefined ? undefined : html`<caption>${caption}</caption>`}<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  return many
    ? html`<div class="room"><div class="box many" tabindex="0">${whole}</div></div>`
    : html`<div class="box" tabindex="0">${whole}</div>`;
};

/** Something that is there for who asks. */
export const behind = (summary: string, content: Html): Html =>
  html`<details><summary>${summary}</summary>${content}</details>`;

export const paragraph = (...sentences: readonly (string | undefined)[]): Html =>
  html`<p>${sentences.filter((sentence) => sentence !== undefined).join(' ')}</p>`;

export const list = (items: readonly Cell[]): Html => html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** Facts by name. */
export const facts = (pairs: readonly (readonly [name: string, value: Cell])[]): Html =>
  html`<dl class="facts">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A plot with what stands below it. `id` names it in the page; a wide one scrolls in its box instead of shrinking. */
export const figure = (id: string, plot: Html, below: Html, fit: 'fits' | 'wide' = 'fits'): Html =>
  html`<figure id="${id}" class="${fit}"><div class="plot" tabindex="0">${plot}</div>${below}</figure>`;
