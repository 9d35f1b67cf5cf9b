import { html, nothing, type TemplateResult } from 'lit-html';
import { save } from '../acts/opened.js';
import type { App } from '../app.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';

export const takeScreen = (app: App): TemplateResult => {
  const { state, words, core } = app;
  const { take } = words;
  const release = state.release!;
  const { size } = numbers(state.language);
  const folder = `release-${release.release.slice(0, 8)}`;
  const known: Readonly<Record<string, readonly [title: string, about: string]>> = {
    'synthetic.csv': [take.rows, take.rowsAbout],
    'persons.csv': [take.persons, take.keyed],
    'households.csv': [take.homes, take.keyed],
    'report.html': [take.report, take.reportAbout],
    'bundle.json': [take.statement, take.statementAbout],
    'measurements.bin': [take.measurements, take.measurementsAbout],
    'model.bin': [take.model, take.modelAbout],
    'replicates.bin': [take.replicates, take.replicatesAbout],
  };
  // What people work with first, then what programs read.
  const places = Object.keys(known);
  const placeOf = (name: string): number => (name in known ? places.indexOf(name) : places.length);
  const files = [...release.files].sort((one, other) => placeOf(one.name) - placeOf(other.name));
  const row = (
    name: string,
    title: string,
    about: string,
    bytes: number | undefined,
    blob: () => Promise<Blob>,
  ) => html`<li>
    <span><strong>${title}</strong> <span class="about">${about} · ${name}${bytes === undefined ? '' : ` · ${size(bytes)}`}</span></span>
    <button class="quiet" aria-label=${take.saveOf(name)} @click=${() => void save(app, name, blob)}>${take.save}</button>
  </li>`;
  return screen(app, {
    title: take.title,
    lead: take.lead,
    body: html`
      <section class="demo">
        <div>
          <h2>${take.all}</h2>
          <p class="about">${take.allAbout}</p>
        </div>
        <button class="primary" id="save-all" @click=${() => void save(app, `${folder}.zip`, () => core.archive({ folder }))}>${take.saveOf(`${folder}.zip`)}</button>
      </section>
      <ul class="list">
        ${files.map(({ name, bytes }) => {
          const [title, about] = known[name] ?? [name, take.other];
          return html`${row(name, title, about, bytes, () => core.file({ name }))}
          ${name.endsWith('.csv') && name in known ? row(name.replace(/csv$/, 'parquet'), take.parquetOf(title), take.parquetAbout, undefined, () => core.parquet({ name })) : nothing}`;
        })}
      </ul>
      ${
        state.ledger === undefined
          ? nothing
          : html`<section class="aside">
              <h2>${take.ledger}</h2>
              <p class="about">${take.ledgerAbout}</p>
              <button class="quiet" id="save-ledger" @click=${() => void save(app, `${state.ledger!.table}.ledger.jsonl`, () => core.ledgerFile({ id: state.ledger!.id }))}>
                ${take.saveOf(`${state.ledger.table}.ledger.jsonl`)}
              </button>
            </section>`
      }
      <div class="acts"><button class="quiet" @click=${() => app.go('tables')}>${take.again}</button></div>
    `,
  });
};
