import { html, nothing, type TemplateResult } from 'lit-html';
import { type App, choosePrivate, choosePublic, dropTable, openFiles, openRelease, save, startDemo } from '../app.js';
import type { ShownTable } from '../core/jobs.js';
import { fileField } from '../parts/file-field.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';

const accept = '.csv,.tsv,.gz,.parquet';
const demoRows = 10_000;

const tableCard = (app: App, role: 'private' | 'public'): TemplateResult => {
  const { state, words } = app;
  const table = state.draft[role];
  const has = state.has[role];
  const { tables } = words;
  const choose = role === 'private' ? choosePrivate : choosePublic;
  const field = fileField({
    id: `${role}-file`,
    label: words.choose,
    hint: `${words.orDrop} · ${tables.formats}`,
    accept,
    onFiles: ([file]) => void choose(app, file),
  });
  return html`<section class="card ${role}" aria-labelledby="${role}-title">
    <h2 id="${role}-title">${role === 'private' ? lock : eye} ${tables[role]}</h2>
    <p class="about">${role === 'private' ? tables.privateAbout : tables.publicAbout}</p>
    ${
      table === undefined
        ? field
        : has
          ? html`${tableFacts(app, table)}
              <button class="quiet" @click=${() => void dropTable(app, role)}>${words.remove}</button>`
          : html`<p class="again">${tables.again(table.name)}</p>
              ${field} <button class="quiet" @click=${() => void dropTable(app, role)}>${words.remove}</button>`
    }
  </section>`;
};

const lock = html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" fill="none" stroke="currentColor" stroke-width="1.5" /><rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" /></svg>`;
const eye = html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" fill="none" stroke="currentColor" stroke-width="1.5" /><circle cx="8" cy="8" r="2.2" fill="currentColor" /></svg>`;

const tableFacts = ({ words, state: { language } }: App, table: ShownTable): TemplateResult => {
  const { count, size } = numbers(language);
  const facts = [
    words.columnsOf(table.names.length),
    ...(table.rows === undefined ? [] : [words.rows(count(table.rows))]),
    ...(table.rows === undefined ? [] : [size(table.bytes)]),
  ];
  return html`<p class="file"><strong>${table.name}</strong><br /><span class="about">${facts.join(' · ')}</span></p>`;
};

export const tablesScreen = (app: App): TemplateResult => {
  const { state, words } = app;
  const { tables } = words;
  const isChosen = state.draft.columns.length > 0;
  const isFresh = state.draft.private === undefined && state.draft.public === undefined;
  return screen(app, {
    title: tables.title,
    lead: tables.lead,
    next: isFresh ? undefined : { step: 'columns', isOpen: isChosen },
    body: html`
      <div class="pair">${tableCard(app, 'private')} ${tableCard(app, 'public')}</div>
      ${
        isFresh
          ? html`<section class="demo">
              <div>
                <h2>${tables.demo}</h2>
                <p class="about">${tables.demoAbout}</p>
              </div>
              <button class="primary" id="demo" @click=${() => void startDemo(app, demoRows)}>${tables.demoGo}</button>
            </section>`
          : nothing
      }
      ${openSection(app)} ${ledgerSection(app)}
    `,
  });
};

const openSection = (app: App): TemplateResult => {
  const { state, words } = app;
  const { tables } = words;
  const { day } = numbers(state.language);
  return html`<section class="aside" aria-labelledby="open-title">
    <h2 id="open-title">${tables.bundleTitle}</h2>
    <p class="about">${tables.bundleAbout}</p>
    ${fileField({
      id: 'bundle-files',
      label: tables.bundleChoose,
      hint: words.orDrop,
      accept: '.zip,.json,.bin,.csv,.html',
      multiple: true,
      onFiles: (files) => void openFiles(app, files),
    })}
    ${
      state.kept.length === 0
        ? nothing
        : html`<h3>${tables.kept}</h3>
            <ul class="list">
              ${state.kept.map(
                ({ release, title, made }) => html`<li>
                  <span><strong>${title}</strong> <span class="about">${day(made)} · ${release.slice(0, 8)}</span></span>
                  <span class="acts">
                    <button
                      class="quiet"
                      aria-label=${tables.openAction(title)}
                      @click=${async () => {
                        if (await openRelease(app, () => app.core.openKept({ release }))) app.go('look');
                      }}
                    >
                      ${tables.open}
                    </button>
                    <button
                      class="quiet"
                      aria-label=${tables.forgetAction(title)}
                      @click=${async () => {
                        await app.core.forget({ release });
                        app.set({
                          kept: app.state.kept.filter((one) => one.release !== release),
                          release: app.state.release?.release === release ? undefined : app.state.release,
                        });
                      }}
                    >
                      ${tables.forget}
                    </button>
                  </span>
                </li>`,
              )}
            </ul>`
    }
  </section>`;
};

const ledgerSection = (app: App) => {
  const { state, words, core } = app;
  const { tables } = words;
  if (state.ledgers.length === 0) return nothing;
  return html`<section class="aside" aria-labelledby="ledgers-title">
    <h2 id="ledgers-title">${tables.ledgersTitle}</h2>
    <p class="about">${tables.ledgersAbout}</p>
    <ul class="list">
      ${state.ledgers.map(
        (ledger) => html`<li>
          <span
            ><strong>${ledger.table}</strong>${ledger.seeds ? html` <span class="tag warn">${words.look.unseeded}</span>` : nothing}
            <span class="about">${tables.ledgerLeft(ledger.remaining, ledger.total)}</span>
            ${ledger.interrupted ? html`<span class="about">${tables.interrupted}</span>` : nothing}</span
          >
          <button
            class="quiet"
            aria-label=${tables.saveLedgerOf(ledger.table)}
            @click=${() => void save(app, `${ledger.table}.ledger.jsonl`, () => core.ledgerFile({ id: ledger.id }))}
          >
            ${tables.saveLedger}
          </button>
        </li>`,
      )}
    </ul>
  </section>`;
};
