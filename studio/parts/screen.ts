import { html, nothing, type TemplateResult } from 'lit-html';
import type { App } from '../app.js';
import { type Step, steps } from '../state.js';

/** A screen: its question, a sentence, what is on it, and where one goes from there. */
export const screen = (
  app: App,
  {
    title,
    lead,
    body,
    next,
  }: {
    readonly title: string;
    readonly lead: unknown;
    readonly body: unknown;
    readonly next?: { readonly step: Step; readonly isOpen: boolean } | undefined;
  },
): TemplateResult => {
  const { words, state } = app;
  const before = steps[steps.indexOf(state.step) - 1];
  return html`<h1 tabindex="-1">${title}</h1>
    <p class="lead">${lead}</p>
    ${body}
    <div class="ways">
      ${before === undefined || state.step === 'look' ? nothing : html`<button class="quiet" ?disabled=${state.run !== undefined} @click=${() => app.go(before)}>${words.back}</button>`}
      ${next === undefined ? nothing : html`<button class="primary" ?disabled=${!next.isOpen} @click=${() => app.go(next.step)}>${words.next}: ${words.steps[next.step]}</button>`}
    </div>`;
};
