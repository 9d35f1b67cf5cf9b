import { html, nothing, type TemplateResult } from 'lit-html';
import { lookAtColumns } from '../acts/columns.js';
import type { App } from '../app.js';
import type { Draft } from '../state.js';

type Base = Draft['base'];

/** Whom the release protects: a row, all rows of somebody, or a household with all its persons. */
export const unitFields = (app: App): TemplateResult => {
  const { state, words } = app;
  const { columns } = words;
  const { base, homes, publicHomes, columns: own } = state.draft;
  const { unit, twoLevel } = base;
  const names = state.draft.private?.names ?? [];
  const change = (next: Partial<Pick<Base, 'unit' | 'twoLevel'>>): void => {
    app.draft({ base: { ...base, unit: undefined, twoLevel: undefined, ...next } });
    app.set({ plan: undefined, planAsking: undefined, rehearsal: [] });
    void lookAtColumns(app);
  };
  const most = (value: number, label: string, pick: (most: number) => void): TemplateResult => html`<label
    >${label}
    <input
      type="number"
      min="1"
      id="most"
      .value=${String(value)}
      @change=${(event: Event) => pick(Number((event.target as HTMLInputElement).value))}
    />
  </label>`;
  // Two tables are of households, whatever else there is.
  if (twoLevel !== undefined && (homes !== undefined || publicHomes !== undefined))
    return html`${most(twoLevel.maxSize, columns.mostPersons, (maxSize) => change({ twoLevel: { ...twoLevel, maxSize } }))}
      <p class="unit">${columns.unit}: ${columns.unitHome} <strong>${twoLevel.key}</strong></p>`;
  const chosen = unit !== undefined ? `id/${unit.id}` : twoLevel !== undefined ? `home/${twoLevel.key}` : '';
  const pick = (value: string): void => {
    const [kind, ...rest] = value.split('/');
    const name = rest.join('/');
    if (kind === 'id') change({ unit: { id: name, maxRecords: unit?.maxRecords ?? 1 } });
    else if (kind === 'home') {
      app.draft({ columns: own.map((column) => (column.name === name ? { ...column, isKept: false } : column)) });
      change({ twoLevel: { key: name, household: [], maxSize: twoLevel?.maxSize ?? 6 } });
    } else change({});
  };
  return html`<label
      >${columns.unit}
      <select id="unit" @change=${(event: Event) => pick((event.target as HTMLSelectElement).value)}>
        <option value="" ?selected=${chosen === ''}>${columns.unitRow}</option>
        ${names.map((name) => html`<option value="id/${name}" ?selected=${chosen === `id/${name}`}>${columns.unitId} ${name}</option>`)}
        ${names.map((name) => html`<option value="home/${name}" ?selected=${chosen === `home/${name}`}>${columns.unitHome} ${name}</option>`)}
      </select>
    </label>
    ${unit === undefined ? nothing : most(unit.maxRecords, columns.mostRows, (maxRecords) => change({ unit: { ...unit, maxRecords } }))}
    ${
      twoLevel === undefined
        ? nothing
        : html`${most(twoLevel.maxSize, columns.mostPersons, (maxSize) => change({ twoLevel: { ...twoLevel, maxSize } }))}
            <p class="about">${columns.levelAbout}</p>`
    }`;
};
