import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app.js';
import { numbers } from '../parts/numbers.js';
import { isOpen, type Step, steps } from '../state.js';
import { askScreen } from './ask.js';
import { budgetScreen } from './budget.js';
import { columnsScreen } from './columns.js';
import { lookScreen } from './look.js';
import { releaseScreen } from './release.js';
import { tablesScreen } from './tables.js';
import { takeScreen } from './take.js';

const screens: Readonly<Record<Step, (app: App) => TemplateResult>> = {
  tables: tablesScreen,
  columns: columnsScreen,
  budget: budgetScreen,
  release: releaseScreen,
  look: lookScreen,
  ask: askScreen,
  take: takeScreen,
};

/** The whole page: where one is, what is under way, what went wrong, and the screen. */
export const page = (app: App): TemplateResult => {
  const { state, words } = app;
  const other = state.language === 'en' ? 'de' : 'en';
  return html`
    <a class="skip" href="#content" @click=${(event: Event) => {
      event.preventDefault();
      document.querySelector<HTMLElement>('h1')?.focus();
    }}>${words.skip}</a>
    <header class="bar">
      <p class="mark"><img src="./mark.svg" alt="" width="22" height="22" /> Surmise Studio</p>
      <nav aria-label=${words.stepList}>
        <ol>
          ${steps.map((step) => {
            const open = isOpen(state, step);
            return html`<li>
              <button
                class="step"
                aria-current=${state.step === step ? 'step' : nothing}
                ?disabled=${!open || state.run !== undefined}
                @click=${() => app.go(step)}
              >
                ${words.steps[step]}
              </button>
            </li>`;
          })}
        </ol>
      </nav>
      <button class="quiet" lang=${other} @click=${() => app.speak(other)}>${words.language}</button>
    </header>
    ${troubleBox(app)}
    <main id="content">${screens[state.step](app)}</main>
    ${busyBox(app)}
    <footer>${words.offline}</footer>
  `;
};

const troubleBox = ({ state, words, set }: App) =>
  state.trouble === undefined
    ? nothing
    : html`<div class="trouble" role="alert">
        <p><strong>${words.trouble}.</strong> ${state.trouble}</p>
        <button class="quiet" aria-label=${words.dismiss} @click=${() => set({ trouble: undefined })}>✕</button>
      </div>`;

const busyBox = ({ state: { busy, language }, words }: App) => {
  if (busy === undefined) return html`<div class="busy" role="status" hidden></div>`;
  const { progress } = busy;
  const total = progress?.total;
  return html`<div class="busy" role="status">
    <span>${busy.what}</span>
    <progress
      aria-label=${busy.what}
      max=${total === undefined ? nothing : total}
      value=${total === undefined ? nothing : progress!.done}
    ></progress>
    ${total === undefined || total === 0 ? nothing : html`<span class="number">${numbers(language).percent(Math.min(1, progress!.done / total))}</span>`}
    ${busy.stop === undefined ? nothing : html`<button class="quiet" @click=${busy.stop}>${words.stop}</button>`}
  </div>`;
};
