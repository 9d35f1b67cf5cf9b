import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { SqlAnswer } from '../../src/index.js';
import { ask } from '../acts/opened.js';
import type { App } from '../app.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';
import { sqlField } from '../parts/sql-field.js';

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const isNumeric = (kind: string): boolean => kind === 'integer' || kind === 'number';

/** The question that was put together, as SQL. */
const builtSql = ({ state }: App): string => {
  const { what, by, where, value } = state.asking;
  const attributes = state.release!.attributes;
  const [aggregate, of] = what.split(':');
  const column =
    aggregate === 'count' || aggregate === 'homes'
      ? 'COUNT(*)'
      : aggregate === 'percent'
        ? 'PERCENT()'
        : `${aggregate.toUpperCase()}(${quoted(of)})`;
  const kind = attributes.find(({ name }) => name === where)?.kind ?? '';
  const literal = isNumeric(kind) || kind === 'boolean' ? value : text(value);
  return [
    `SELECT ${by === '' ? '' : `${quoted(by)}, `}${column} FROM ${aggregate === 'homes' ? 'households' : 'data'}`,
    where === '' || value === '' ? '' : `WHERE ${quoted(where)} = ${literal}`,
    by === '' ? '' : `GROUP BY ${quoted(by)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
};

export const askScreen = (app: App): TemplateResult => {
  const { state, words } = app;
  const { ask: own } = words;
  return screen(app, {
    title: own.title,
    lead: own.lead,
    next: { step: 'take', isOpen: true },
    body: html`${builder(app)} ${sqlForm(app)} ${state.asking.answers.map((answer) => answerTable(app, answer))}`,
  });
};

const builder = (app: App): TemplateResult => {
  const { state, words } = app;
  const { ask: own } = words;
  const { asking } = state;
  const { attributes: all, homes } = state.release!;
  // Of households one can ask what is said of them.
  const attributes = asking.what === 'homes' ? all.filter(({ ofHome }) => ofHome) : all;
  const numeric = all.filter(({ kind }) => isNumeric(kind));
  const say = (change: Partial<typeof asking>): void => app.set({ asking: { ...app.state.asking, ...change } });
  const option = (value: string, label: string, chosen: string) =>
    html`<option value=${value} ?selected=${value === chosen}>${label}</option>`;
  const chosenOf = (event: Event): string => (event.target as HTMLSelectElement).value;
  const among = attributes.find(({ name }) => name === asking.where);
  return html`<form
    class="builder"
    aria-label=${own.builder}
    @submit=${(event: Event) => {
      event.preventDefault();
      void ask(app, builtSql(app));
    }}
  >
    <label
      >${own.what}
      <select
        id="ask-what"
        @change=${(event: Event) => {
          const what = chosenOf(event);
          say(what === 'homes' || asking.what === 'homes' ? { what, by: '', where: '', value: '' } : { what });
        }}
      >
        ${homes === undefined ? nothing : option('homes', own.homes, asking.what)} ${option('count', own.count, asking.what)} ${option('percent', own.percent, asking.what)}
        ${numeric.map(({ name }) => option(`avg:${name}`, own.avg(name), asking.what))}
        ${numeric.map(({ name }) => option(`median:${name}`, own.median(name), asking.what))}
      </select>
    </label>
    <label
      >${own.by}
      <select id="ask-by" @change=${(event: Event) => say({ by: chosenOf(event) })}>
        ${option('', own.nothing, asking.by)} ${attributes.map(({ name }) => option(name, name, asking.by))}
      </select>
    </label>
    <label
      >${own.where}
      <select id="ask-where" @change=${(event: Event) => say({ where: chosenOf(event), value: '' })}>
        ${option('', own.anything, asking.where)} ${attributes.map(({ name }) => option(name, name, asking.where))}
      </select>
    </label>
    ${
      among === undefined
        ? nothing
        : html`<label
            >${own.is}
            ${
              among.labels.length > 0
                ? html`<select id="ask-value" @change=${(event: Event) => say({ value: chosenOf(event) })}>
                    ${option('', '…', asking.value)} ${among.labels.map((label) => option(label, label, asking.value))}
                  </select>`
                : html`<input id="ask-value" .value=${asking.value} @change=${(event: Event) => say({ value: chosenOf(event) })} />`
            }
          </label>`
    }
    <button class="primary">${own.run}</button>
  </form>`;
};

const sqlForm = (app: App): TemplateResult => {
  const { state, words } = app;
  const { ask: own } = words;
  const { sql, fault } = state.asking;
  const { attributes, homes } = state.release!;
  const shown = {
    sql,
    fault,
    label: own.sql,
    asked: { columns: attributes, tables: homes === undefined ? ['data'] : ['data', 'households'] },
  };
  return html`<form
    class="sql"
    @submit=${(event: Event) => {
      event.preventDefault();
      void ask(app, app.state.asking.sql);
    }}
  >
    <h2>${own.sql}</h2>
    ${sqlField(shown, {
      onChange: (written) => app.set({ asking: { ...app.state.asking, sql: written, fault: undefined } }),
      onAsk: (written) => void ask(app, written),
    })}
    <div class="acts">
      <button class="primary" id="ask-sql">${own.run}</button>
      <p class="about by-keys">${own.sqlAbout}</p>
    </div>
  </form>`;
};

const plainAnswer = (answer: SqlAnswer, separator: string, field: (value: unknown) => string): string => {
  const isNumber = answer.columns.map(({ kind }) => kind !== 'attribute');
  const head = answer.columns.flatMap(({ title }, i) =>
    isNumber[i] ? [title, `${title} low`, `${title} high`] : [title],
  );
  const lines = answer.rows.map(({ values, low, high }) =>
    values.flatMap((value, i) => (isNumber[i] ? [value, low[i], high[i]] : [value])),
  );
  return [head, ...lines].map((line) => line.map(field).join(separator)).join('\n');
};

const csvField = (value: unknown): string => {
  const own = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(own) ? `"${own.replaceAll('"', '""')}"` : own;
};

const answerTable = (app: App, answer: SqlAnswer): TemplateResult => {
  const { state, words } = app;
  const { ask: own } = words;
  const { alike } = numbers(state.language);
  // The figures of a column and its bounds have the same decimals.
  const figures = answer.columns.map((_, i) =>
    alike(
      answer.rows.flatMap(({ values, low, high }) => [values[i], low[i], high[i]].filter((v) => typeof v === 'number')),
    ),
  );
  const shown = (value: unknown, i: number): string =>
    typeof value === 'number' ? figures[i](value) : value === null ? '' : String(value);
  const copy = async (which: string, content: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(content);
    } catch (error) {
      return app.set({ trouble: app.sentenceOf(error) });
    }
    app.set({ copied: which });
    setTimeout(() => app.set({ copied: undefined }), 2000);
  };
  const numeric = answer.columns.findIndex(({ kind }) => kind === 'number');
  const top =
    numeric < 0
      ? 0
      : Math.max(
          ...answer.rows.map(({ values, high }) => Math.max(Number(values[numeric] ?? 0), Number(high[numeric] ?? 0))),
        );
  const isDrawn = answer.columns.length === 2 && answer.columns[0].kind === 'attribute' && numeric === 1 && top > 0;
  return html`<section class="answer" aria-live="polite">
    <div class="wide" tabindex="0" role="region" aria-label=${own.rows(answer.rows.length)}>
      <table>
        <thead>
          <tr>
            ${answer.columns.map(({ title, kind }) => html`<th scope="col" class=${kind === 'attribute' ? '' : 'number'}>${title}</th>${kind === 'attribute' ? nothing : html`<th scope="col" class="number">${own.bounds}</th>`}`)}
            ${isDrawn ? html`<th aria-hidden="true"></th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${answer.rows.slice(0, 500).map(
            ({ values, low, high }) => html`<tr>
              ${values.map((value, i) =>
                answer.columns[i].kind === 'attribute'
                  ? html`<th scope="row">${shown(value, i)}</th>`
                  : html`<td class="number">${shown(value, i)}</td><td class="number about">${low[i] === null ? '' : `${shown(low[i], i)} – ${shown(high[i], i)}`}</td>`,
              )}
              ${
                isDrawn
                  ? html`<td aria-hidden="true">
                      <svg class="answer-bar" viewBox="0 0 200 12" preserveAspectRatio="none">
                        ${svg`<rect class="released" y="2" height="8" width=${(200 * Number(values[1] ?? 0)) / top} />
                          ${low[1] === null ? nothing : svg`<line class="bound" x1=${(200 * Number(low[1])) / top} x2=${(200 * Number(high[1])) / top} y1="6" y2="6" />`}`}
                      </svg>
                    </td>`
                  : nothing
              }
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${answer.remarks.map((remark) => html`<p class="note">${remark}.</p>`)}
    <div class="acts">
      <button class="quiet" @click=${() =>
        void copy(
          'text',
          plainAnswer(answer, '\t', (value) => String(value ?? '')),
        )}>${state.copied === 'text' ? own.copied : own.copyText}</button>
      <button class="quiet" @click=${() => void copy('csv', plainAnswer(answer, ',', csvField))}>${state.copied === 'csv' ? own.copied : own.copyCsv}</button>
    </div>
  </section>`;
};
