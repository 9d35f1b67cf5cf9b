import { html, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { ShownSql, SqlActs, SqlEditor } from './sql-editor.js';

/** The editors of the fields that are on the page: each is loaded when its field is first shown. */
const editors = new WeakMap<Element, { shown: ShownSql; editor: SqlEditor | undefined }>();

const place = (host: Element | undefined, shown: ShownSql, acts: () => SqlActs): void => {
  if (host === undefined) return;
  const placed = editors.get(host);
  if (placed !== undefined) {
    placed.shown = shown;
    placed.editor?.show(shown);
    return;
  }
  const own: { shown: ShownSql; editor: SqlEditor | undefined } = { shown, editor: undefined };
  editors.set(host, own);
  void import('./sql-editor.js').then(({ sqlEditor }) => {
    own.editor = sqlEditor(host as HTMLElement, acts(), own.shown);
  });
};

/** A field for SQL. What draws it is a fifth of the page, and is loaded by those who come to ask. */
export const sqlField = (shown: ShownSql, acts: SqlActs): TemplateResult =>
  html`<div class="sql-field" ${ref((host) => place(host, shown, () => acts))}></div>`;
