import { html, nothing, type TemplateResult } from 'lit-html';
import {
  allowLedgerFile,
  canChooseFile,
  chooseLedgerFile,
  giveUp,
  openLedgerFile,
  takeLedger,
} from '../acts/ledger.js';
import { release } from '../acts/release.js';
import type { App } from '../app.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';
import { hasAll } from '../state.js';

export const releaseScreen = (app: App): TemplateResult => {
  const { state, words } = app;
  const { release: own, budget } = words;
  return screen(app, {
    title: own.title,
    lead: own.lead,
    next: state.release === undefined ? undefined : { step: 'look', isOpen: true },
    body: html`
      ${state.draft.unsafeSeed.trim() === '' ? nothing : html`<p class="problems"><strong>${budget.unsafeWarning}</strong></p>`}
      ${state.run === undefined ? (state.draft.private !== undefined && hasAll(state) ? readyToRelease(app) : html`<p class="note">${own.privateMissing}</p>`) : running(app)}
    `,
  });
};

const readyToRelease = (app: App): TemplateResult => {
  const { state, words } = app;
  const { release: own } = words;
  const { draft, ledger } = state;
  const cost = `epsilon ${draft.epsilon}${draft.delta.trim() === '' ? '' : `, delta ${draft.delta}`}`;
  return html`
    <dl class="facts big">
      <div><dt>${own.spends}</dt><dd>${cost}</dd></div>
      ${
        ledger === undefined
          ? nothing
          : html`<div><dt>${own.remains}</dt><dd>${ledger.remaining} <span class="about">${own.of} ${ledger.total}</span></dd></div>`
      }
    </dl>
    ${
      ledger === undefined
        ? html`<p>${own.ledgerNew}</p>
            <div class="fields">
              <div>
                <label for="allowance">${own.allowance}</label>
                <input
                  id="allowance"
                  inputmode="decimal"
                  placeholder=${draft.epsilon}
                  .value=${draft.allowance}
                  aria-describedby="allowance-about"
                  @change=${(event: Event) => app.draft({ allowance: (event.target as HTMLInputElement).value.trim().replace(',', '.') })}
                />
                <p class="about" id="allowance-about">${own.allowanceAbout}</p>
              </div>
              <label class="quiet filing"
                >${own.take}
                <input
                  type="file"
                  accept=".jsonl"
                  @change=${(event: Event) => {
                    const file = (event.target as HTMLInputElement).files?.[0];
                    if (file !== undefined) void takeLedger(app, file);
                  }}
              /></label>
            </div>`
        : html`<meter class="spent" min="0" max="1" .value=${ledger.part} aria-label="${own.ledger}: ${ledger.spent} ${own.of} ${ledger.total}"></meter>`
    }
    ${ledgerPlace(app)}
    ${
      ledger?.interrupted
        ? html`<div class="problems" role="status">
            <strong>${state.isPaused ? own.paused : own.interrupted}</strong>
            <p>${own.interruptedAbout}</p>
            <div class="acts">
              <button class="primary" id="resume" @click=${() => void release(app, true)}>${own.resume}</button>
              <button class="quiet" @click=${() => void giveUp(app, ledger.seeds)}>${own.discard}</button>
            </div>
          </div>`
        : act(app)
    }
  `;
};

/** Where the ledger is kept, and how it can be kept better. */
const ledgerPlace = (app: App): TemplateResult => {
  const { state, words } = app;
  const { release: own } = words;
  const { ledger, ledgerFile } = state;
  const file = ledger?.file;
  if (file !== undefined)
    return file.isOpen
      ? html`<p class="note">${own.inFile(file.name)}</p>`
      : html`<div class="note">
          <p>${own.fileClosed(file.name)}</p>
          <button class="quiet" id="allow-file" @click=${() => void allowLedgerFile(app, file.handle)}>${own.allowFile}</button>
        </div>`;
  if (ledger === undefined && ledgerFile !== undefined)
    return html`<p class="note">${own.willBeInFile(ledgerFile.name)}</p>`;
  return html`<div class="note">
    <p>${own.warning}</p>
    ${
      canChooseFile()
        ? html`<div class="acts">
            <button class="quiet" id="ledger-file" @click=${() => void chooseLedgerFile(app)}>${own.chooseFile}</button>
            ${ledger === undefined ? html`<button class="quiet" id="open-ledger-file" @click=${() => void openLedgerFile(app)}>${own.openFile}</button>` : nothing}
          </div>`
        : nothing
    }
  </div>`;
};

/** The deliberate act: who types the number has read it. */
const act = (app: App): TemplateResult => {
  const { state, words } = app;
  const { release: own } = words;
  const { draft } = state;
  const isTyped = state.typed.trim().replace(',', '.') === draft.epsilon;
  return html`<form
    class="act"
    @submit=${(event: Event) => {
      event.preventDefault();
      if (isTyped) void release(app);
    }}
  >
    <label for="typed">${own.type(draft.epsilon)}</label>
    <input id="typed" autocomplete="off" inputmode="decimal" .value=${state.typed} @input=${(event: Event) => app.set({ typed: (event.target as HTMLInputElement).value })} />
    <button class="primary danger" ?disabled=${!isTyped}>${own.go}</button>
  </form>`;
};

const running = (app: App): TemplateResult => {
  const { state, words } = app;
  const { release: own } = words;
  const run = state.run!;
  const { duration, percent } = numbers(state.language);
  const stage = run.progress === undefined ? words.working : (own.stages[run.progress.stage] ?? run.progress.stage);
  return html`<div class="running" role="status">
    <p class="stage">${stage}</p>
    <progress max="1" .value=${run.part} aria-label=${stage}></progress>
    <p class="about"><span class="number">${percent(run.part)}</span>${run.left === undefined ? nothing : html` · ${own.left(duration(run.left))}`}</p>
    <button class="quiet" id="pause" @click=${run.pause}>${own.pause}</button>
  </div>`;
};
