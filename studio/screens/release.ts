import { html, nothing, svg, type TemplateResult } from 'lit-html';
import {
  allow,
  allowLedgerFile,
  canChooseFile,
  chooseLedgerFile,
  giveUp,
  openLedgerFile,
  takeLedger,
} from '../acts/ledger.js';
import { release } from '../acts/release.js';
import type { App } from '../app.js';
import type { ShownLeft } from '../core/shown-ledger.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';
import { hasAll } from '../state.js';
import type { Words } from '../words.js';

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

/** An amount as a figure: its epsilon large, and at which delta. */
const amount = (text: string, { release: own }: Words): TemplateResult => {
  const [, epsilon = text, delta] = /^epsilon (\S+)(?: at delta (\S+))?$/.exec(text) ?? [];
  return html`${epsilon}${delta === undefined ? nothing : html` <span class="about">${own.delta(delta)}</span>`}`;
};

/** What was spent of an account, and what this release adds. */
const account = (part: number, left: ShownLeft | undefined, label: string): TemplateResult => html`<svg
  class="account"
  viewBox="0 0 100 4"
  preserveAspectRatio="none"
  role="img"
  aria-label=${label}
>
  ${svg`<rect class="track" width="100" height="4" />
    ${left === undefined ? nothing : svg`<rect class="grown" width=${100 * left.part} height="4" />`}
    <rect class="known" width=${100 * part} height="4" />`}
</svg>`;

const readyToRelease = (app: App): TemplateResult => {
  const { state, words } = app;
  const { release: own } = words;
  const { draft, ledger } = state;
  const delta = draft.delta.trim();
  const told = ledger === undefined ? state.leftOfNew : ledger.left;
  const left = told === 'too much' ? undefined : told;
  // Going on with what was interrupted costs nothing more.
  const isNew = ledger?.interrupted !== true;
  const remaining =
    left !== undefined
      ? amount(left.remaining, words)
      : html`<span class="about">${told === 'too much' ? own.tooMuch : '…'}</span>`;
  return html`
    <dl class="figures spending">
      <div><dt>${own.spends}</dt><dd>${amount(`epsilon ${draft.epsilon}${delta === '' ? '' : ` at delta ${delta}`}`, words)}</dd></div>
      ${
        ledger === undefined
          ? html`<div>
              <dt><label for="allowance">${own.allowance}</label></dt>
              <dd>
                <input
                  id="allowance"
                  inputmode="decimal"
                  placeholder=${draft.epsilon}
                  .value=${draft.allowance}
                  aria-describedby="allowance-about"
                  @change=${(event: Event) => void allow(app, (event.target as HTMLInputElement).value.trim().replace(',', '.'))}
                />
                <span class="about below" id="allowance-about">${own.allowanceAbout}</span>
              </dd>
            </div>`
          : html`<div><dt>${own.remains}</dt><dd>${amount(ledger.remaining, words)} <span class="about">${own.of} ${amount(ledger.total, words)}</span></dd></div>`
      }
      ${isNew ? html`<div><dt>${own.after}</dt><dd>${remaining}${left === undefined || left.remaining === '0' || delta === '' ? nothing : html`<span class="about below">${own.afterAbout}</span>`}</dd></div>` : nothing}
    </dl>
    ${account(ledger?.part ?? 0, isNew ? left : undefined, `${own.ledger}: ${ledger?.spent ?? 0} ${own.of} ${ledger?.total ?? ''}`)}
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
  const choose = (label: string) =>
    html`<button class="quiet" id="ledger-file" @click=${() => void chooseLedgerFile(app)}>${label}</button>`;
  if (file !== undefined)
    return html`<div class=${file.trouble === undefined ? 'note' : 'problems'}>
      <p>${file.trouble ?? (file.isOpen ? own.inFile(file.name) : own.fileClosed(file.name))}</p>
      <div class="acts">
        ${file.isOpen ? nothing : html`<button class="quiet" id="allow-file" @click=${() => void allowLedgerFile(app, file.handle)}>${own.allowFile}</button>`}
        ${choose(own.anotherFile)}
      </div>
    </div>`;
  const isChosen = ledger === undefined && ledgerFile !== undefined;
  return html`<div class="note">
    ${ledger === undefined ? html`<p>${own.ledgerNew}</p>` : nothing}
    <p>${isChosen ? own.willBeInFile(ledgerFile.name) : own.warning}</p>
    <div class="acts" ?hidden=${ledger !== undefined && !canChooseFile()}>
      ${canChooseFile() ? choose(isChosen ? own.anotherFile : own.chooseFile) : nothing}
      ${ledger === undefined && canChooseFile() ? html`<button class="quiet" id="open-ledger-file" @click=${() => void openLedgerFile(app)}>${own.openFile}</button>` : nothing}
      ${
        ledger === undefined
          ? html`<label class="quiet filing"
              >${own.take}
              <input
                type="file"
                accept=".jsonl"
                @change=${(event: Event) => {
                  const field = event.target as HTMLInputElement;
                  const chosen = field.files?.[0];
                  field.value = '';
                  if (chosen !== undefined) void takeLedger(app, chosen);
                }}
            /></label>`
          : nothing
      }
    </div>
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
  const stage = own.stages[run.progress?.stage ?? ''] ?? words.working;
  return html`<div class="running" role="status">
    <p class="stage">${stage}</p>
    <progress max="1" .value=${run.part} aria-label=${stage}></progress>
    <p class="about"><span class="number">${percent(run.part)}</span>${run.left === undefined ? nothing : html` · ${own.left(duration(run.left))}`}</p>
    <button class="quiet" id="pause" @click=${run.pause}>${own.pause}</button>
  </div>`;
};
