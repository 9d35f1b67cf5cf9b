import { html, nothing, type TemplateResult } from 'lit-html';
import { openFiles, openRelease, save } from '../acts/opened.js';
import { choosePrivate, choosePublic, choosePublicHomes, dropTable, startDemo } from '../acts/tables.js';
import type { App } from '../app.js';
import type { PublicsTold } from '../core/told.js';
import type { Role, ShownTable } from '../core/work.js';
import { fileField } from '../parts/file-field.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';
import { held } from '../state.js';

const accept = '.csv,.tsv,.gz,.parquet';
const demoRows = 10_000;

const tableField = (app: App, id: string, label: string, onFile: (file: File) => void): TemplateResult =>
  fileField({
    id,
    label,
    hint: `${app.words.orDrop} · ${app.words.tables.formats}`,
    accept,
    onFiles: ([file]) => onFile(file),
  });

/** A table that was chosen: what is to be known of it, or a place to choose it again after a reload. */
const chosenTable = (
  app: App,
  role: Role,
  table: ShownTable,
  id: string,
  onFile: (file: File) => void,
): TemplateResult => {
  const { state, words } = app;
  const isHeld = state.has.includes(held(role, table.name));
  return html`${
    isHeld
      ? tableFacts(app, table)
      : html`<p class="again">${words.tables.again(table.name)}</p>
          ${tableField(app, id, words.choose, onFile)}`
  }
    <button class="quiet" aria-label="${words.remove}: ${table.name}" @click=${() => void dropTable(app, role, table.name)}>${words.remove}</button>`;
};

const privateCard = (app: App): TemplateResult => {
  const { state, words } = app;
  const { tables } = words;
  const { private: table, homes, publics } = state.draft;
  const choose = (file: File): void => void choosePrivate(app, file, 'private');
  const chooseHomes = (file: File): void => void choosePrivate(app, file, 'homes');
  // Public tables are of the same kind as the private ones: where they are of rows, so is the release.
  const mayHaveHomes = homes === undefined && table !== undefined && publics.length === 0;
  return html`<section class="card private" aria-labelledby="private-title">
    <h2 id="private-title">${lock} ${tables.private}</h2>
    <p class="about">${tables.privateAbout}</p>
    ${table === undefined ? tableField(app, 'private-file', words.choose, choose) : chosenTable(app, 'private', table, 'private-file', choose)}
    ${
      homes === undefined
        ? nothing
        : html`<h3>${tables.homes}</h3>
            ${chosenTable(app, 'homes', homes, 'homes-file', chooseHomes)}`
    }
    ${
      mayHaveHomes
        ? html`<details class="more">
            <summary>${tables.homesAsk}</summary>
            <p class="about">${tables.homesAbout}</p>
            ${tableField(app, 'homes-file', tables.homesChoose, chooseHomes)}
          </details>`
        : nothing
    }
  </section>`;
};

const publicCard = (app: App): TemplateResult => {
  const { state, words } = app;
  const { tables } = words;
  const { homes, publics, publicHomes } = state.draft;
  const choose = (file: File): void => void choosePublic(app, file);
  const chooseHomes = (file: File): void => void choosePublicHomes(app, file);
  return html`<section class="card public" aria-labelledby="public-title">
    <h2 id="public-title">${eye} ${publics.length > 1 ? tables.publics : tables.public}</h2>
    <p class="about">${tables.publicAbout}</p>
    ${publics.map((table, i) => chosenTable(app, 'public', table, i === 0 ? 'public-file' : `public-file-${i + 1}`, choose))}
    ${publics.length === 0 ? tableField(app, 'public-file', words.choose, choose) : nothing}
    ${
      publicHomes === undefined
        ? nothing
        : html`<h3>${tables.homes}</h3>
            ${chosenTable(app, 'publicHomes', publicHomes, 'public-homes-file', chooseHomes)}`
    }
    ${
      publics.length === 1 && publicHomes === undefined && homes !== undefined
        ? html`<p class="about">${tables.publicHomesAbout}</p>
            ${tableField(app, 'public-homes-file', tables.homesChoose, chooseHomes)}`
        : nothing
    }
    ${
      publics.length > 0 && homes === undefined
        ? html`<details class="more" ?open=${publics.length > 1}>
            <summary>${tables.more}</summary>
            <p class="about">${tables.moreAbout}</p>
            ${tableField(app, 'more-public-file', tables.moreChoose, choose)} ${publics.length > 1 ? togetherField(app) : nothing}
          </details>`
        : nothing
    }
  </section>`;
};

/** What becomes of several public tables. */
const togetherField = (app: App): TemplateResult => {
  const { state, words } = app;
  const { tables } = words;
  const { publics, together } = state.draft;
  const chosen = typeof together === 'string' ? together : `stand-in/${together.standIn}`;
  const ways: readonly (readonly [value: string, label: string, told: PublicsTold])[] = [
    ['together', tables.together, 'together'],
    ['paid', tables.paid, 'paid'],
    // Who plays the private table leaves two others to choose among.
    ...(publics.length < 3
      ? []
      : publics.map(({ name }) => [`stand-in/${name}`, tables.standIn(name), { standIn: name }] as const)),
  ];
  return html`<label
    >${tables.togetherTitle}
    <select
      id="together"
      @change=${(event: Event) => {
        const value = (event.target as HTMLSelectElement).value;
        app.draft({ together: ways.find(([own]) => own === value)![2] });
        app.set({ plan: undefined, rehearsal: [] });
      }}
    >
      ${ways.map(([value, label]) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`)}
    </select>
  </label>`;
};

const lock = html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2" fill="none" stroke="currentColor" stroke-width="1.5" /><rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" /></svg>`;
const eye = html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" fill="none" stroke="currentColor" stroke-width="1.5" /><circle cx="8" cy="8" r="2.2" fill="currentColor" /></svg>`;

const tableFacts = ({ words, state: { language } }: App, table: ShownTable): TemplateResult => {
  const { count, size } = numbers(language);
  const facts = [
    words.columnsOf(table.names.length),
    ...(table.rows === undefined ? [] : [words.rows(count(table.rows))]),
    ...(table.bytes === undefined ? [] : [size(table.bytes)]),
  ];
  return html`<p class="file"><strong>${table.name}</strong><br /><span class="about">${facts.join(' · ')}</span></p>`;
};

export const tablesScreen = (app: App): TemplateResult => {
  const { state, words } = app;
  const { tables } = words;
  const isChosen = state.draft.columns.length > 0;
  const isFresh = state.draft.private === undefined && state.draft.publics.length === 0;
  return screen(app, {
    title: tables.title,
    lead: tables.lead,
    next: isFresh ? undefined : { step: 'columns', isOpen: isChosen },
    body: html`
      <div class="pair">${privateCard(app)} ${publicCard(app)}</div>
      ${
        isFresh
          ? html`<section class="demo">
              <div>
                <h2>${tables.demo}</h2>
                <p class="about">${tables.demoAbout}</p>
              </div>
              <div class="acts">
                <button class="primary" id="demo" @click=${() => void startDemo(app, demoRows, false)}>${tables.demoGo}</button>
                <button class="quiet" id="demo-homes" @click=${() => void startDemo(app, demoRows, true)}>${tables.demoHomes}</button>
              </div>
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
