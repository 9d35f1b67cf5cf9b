import { html, nothing, type TemplateResult } from 'lit-html';
import { askForRest, changeColumn, lookAtColumns } from '../acts/columns.js';
import { takeSchemaFile } from '../acts/tables.js';
import type { App } from '../app.js';
import type { ShownColumn } from '../core/columns.js';
import { columnEditor } from '../parts/column-editor.js';
import { download } from '../parts/download.js';
import { histogram } from '../parts/histogram.js';
import { numbers } from '../parts/numbers.js';
import { outsideRules } from '../parts/outside-rules.js';
import { screen } from '../parts/screen.js';
import { specText } from '../parts/spec-text.js';
import { unitFields } from '../parts/unit-fields.js';
import { asksColumns, type EditedColumn, isDeclared, mayAsk, savedSchema } from '../state.js';

/** Columns that are named one by one where nobody has described them. */
const mostOpen = 12;

export const columnsScreen = (app: App): TemplateResult => {
  const { state, words } = app;
  const { columns } = words;
  const { origin } = state.draft.base;
  const hasPublic = state.draft.publics.length > 0;
  const shownBy = new Map(state.shown?.columns.map((one) => [one.name, one]));
  const kept = state.draft.columns.filter(({ isKept }) => isKept);
  const open = kept.filter(({ spec, asks }) => spec === undefined && !asks);
  const problems = [
    ...(open.length > mostOpen
      ? [columns.undeclaredMany(open.length)]
      : open.map(({ name }) => `${name}: ${columns.undeclared}`)),
    ...(state.shown?.columns ?? []).flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
    // Of columns of which nothing is said yet, nothing is wrong together.
    ...(kept.length === 0 ? [columns.noneKept] : open.length === kept.length ? [] : (state.shown?.problems ?? [])),
  ];
  const stopping = [...shownBy.values()].filter(({ stops }) => stops).map(({ name }) => name);
  return screen(app, {
    title: columns.title,
    lead: origin.kind === 'public-table' ? columns.learned(origin.file) : columns.declared,
    next: { step: 'budget', isOpen: isDeclared(state) },
    body: html`
      ${
        problems.length === 0
          ? nothing
          : html`<div class="problems" role="status">
              <strong>${columns.problems(problems.length)}</strong>
              <ul>
                ${problems.map((problem) => html`<li>${problem}</li>`)}
              </ul>
              ${
                open.length > 0 && mayAsk(state.draft)
                  ? html`<p class="about">${columns.askRestAbout}</p>
                      <button class="quiet" id="ask-rest" @click=${() => askForRest(app)}>${columns.askRest(open.length)}</button>`
                  : nothing
              }
            </div>`
      }
      ${asksColumns(state.draft) ? html`<p class="note" role="status">${columns.asksNote(kept.filter(({ asks }) => asks).length)}</p>` : nothing}
      <div class="wide">
        <table class="columns">
          <thead>
            <tr>
              <th scope="col">${columns.keep}</th>
              <th scope="col">${columns.name}</th>
              <th scope="col">${columns.contents}</th>
              <th scope="col" class="number">${columns.cells}</th>
              ${hasPublic ? html`<th scope="col">${columns.public}</th>` : nothing}
              <th scope="col"><span class="hidden">${columns.edit}</span></th>
            </tr>
          </thead>
          <tbody>
            ${state.draft.columns.map((column) => columnRow(app, column, shownBy.get(column.name)))}
          </tbody>
        </table>
      </div>
      <p class="about">${columns.cellsAbout}</p>
      <div class="fields">
        <label
          >${columns.outside}
          <select
            @change=${(event: Event) => {
              app.draft({ outside: (event.target as HTMLSelectElement).value as (typeof outsideRules)[number] });
              app.set({ plan: undefined });
              void lookAtColumns(app);
            }}
          >
            ${outsideRules.map((rule) => html`<option value=${rule} ?selected=${state.draft.outside === rule}>${columns.outsideRules[rule]}</option>`)}
          </select>
        </label>
        ${unitFields(app)}
      </div>
      ${stopping.length === 0 ? nothing : html`<p class="note">${columns.stops(stopping.join(', '))}</p>`}
      ${constraintFields(app)}
      <div class="acts">
        <button class="quiet" @click=${() => download(new Blob([`${JSON.stringify(savedSchema(state.draft), null, 2)}\n`]), 'schema.json')}>
          ${columns.save}
        </button>
        <label class="quiet filing"
          >${columns.load}
          <input
            type="file"
            accept=".json"
            @change=${async (event: Event) => {
              const field = event.target as HTMLInputElement;
              const file = field.files?.[0];
              field.value = '';
              if (file === undefined) return;
              const schema = await app.busily(
                words.working,
                async () => app.core.readSchema({ text: await file.text() }),
                false,
              );
              if (schema === undefined) return;
              takeSchemaFile(app, schema);
              void lookAtColumns(app);
            }}
        /></label>
      </div>
    `,
  });
};

const columnRow = (app: App, column: EditedColumn, shown: ShownColumn | undefined): TemplateResult => {
  const { state, words } = app;
  const { columns } = words;
  const { name, isKept, spec, note, asks } = column;
  const { count } = numbers(state.language);
  const hasPublic = state.draft.publics.length > 0;
  const isEdited = state.editing === name;
  return html`<tr class=${isKept ? '' : 'left-out'} data-column=${name}>
      <td>
        <input
          type="checkbox"
          aria-label=${columns.keepOf(name)}
          .checked=${isKept}
          @change=${(event: Event) => changeColumn(app, name, { isKept: (event.target as HTMLInputElement).checked })}
        />
      </td>
      <th scope="row">${name}${state.draft.base.twoLevel?.household.includes(name) ? html` <span class="tag">${columns.ofHome}</span>` : nothing}</th>
      <td class="contents">
        ${asks ? html`<span class="tag asks">${columns.asked}</span> ` : nothing}${spec === undefined && asks ? nothing : spec === undefined ? html`<span class="about">${note ?? columns.undeclared}</span>` : specText(spec, words, state.language)}
        ${shown?.problem === undefined ? nothing : html`<span class="problem">${shown.problem}</span>`}
      </td>
      <td class="number cell-count">${shown === undefined || shown.cells === 0 ? '' : count(shown.cells)}</td>
      ${
        hasPublic
          ? html`<td class="public-picture">${shown?.counts === undefined ? nothing : histogram(shown.counts, histogramWords(shown, words.columns.public))}</td>`
          : nothing
      }
      <td>
        <button
          class="quiet"
          aria-expanded=${isEdited ? 'true' : 'false'}
          aria-label=${columns.editOf(name)}
          @click=${() => app.set({ editing: isEdited ? undefined : name })}
        >
          ${isEdited ? columns.done : columns.edit}
        </button>
      </td>
    </tr>
    ${isEdited ? html`<tr class="editor"><td></td><td colspan=${hasPublic ? 5 : 4}>${columnEditor(app, column)}</td></tr>` : nothing}`;
};

const histogramWords = ({ name, labels, counts }: ShownColumn, title: string): string => {
  const most = labels
    .map((label, i) => [label, counts![i]] as const)
    .sort((one, other) => other[1] - one[1])
    .slice(0, 3);
  return `${title}: ${name}, ${most.map(([label, count]) => `${label} ${count}`).join(', ')}`;
};

const constraintFields = (app: App): TemplateResult => {
  const { state, words } = app;
  const { columns } = words;
  const { constraints = [] } = state.draft.base;
  const change = (next: typeof constraints): void => {
    app.draft({ base: { ...state.draft.base, constraints: next } });
    app.set({ plan: undefined });
    void lookAtColumns(app);
  };
  return html`<details class="more" ?open=${constraints.length > 0}>
    <summary>${columns.constraints}</summary>
    <p class="about">${columns.constraintsAbout}</p>
    <ul class="list">
      ${constraints.map(
        (constraint, i) => html`<li>
          ${
            'forbid' in constraint && typeof constraint.forbid === 'string'
              ? html`<label class="grow"
                  >${columns.never}
                  <input
                    class="code"
                    .value=${constraint.forbid}
                    placeholder=${columns.constraintHint}
                    @change=${(event: Event) =>
                      change(
                        constraints.map((one, k) =>
                          k === i ? { ...constraint, forbid: (event.target as HTMLInputElement).value } : one,
                        ),
                      )}
                /></label>`
              : html`<code>${JSON.stringify(constraint)}</code>`
          }
          <button class="quiet" @click=${() => change(constraints.filter((_, k) => k !== i))}>${words.remove}</button>
        </li>`,
      )}
    </ul>
    <button class="quiet" @click=${() => change([...constraints, { forbid: '' }])}>${columns.addConstraint}</button>
  </details>`;
};
