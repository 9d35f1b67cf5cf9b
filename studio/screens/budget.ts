import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PlannedDiscovery } from '../../src/index.js';
import { planSoon, rehearse } from '../acts/plan.js';
import type { App } from '../app.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';
import { hasAll, isDeclared } from '../state.js';

/** The slider goes by equal ratios, from 0.01 to 20. */
const [least, most] = [0.01, 20];
const positionOf = (epsilon: number): number => Math.log(epsilon / least) / Math.log(most / least);
const epsilonAt = (position: number): string => {
  const value = least * (most / least) ** position;
  return String(Number(value.toPrecision(value < 1 ? 1 : 2)));
};

/** How sure somebody can become: odds grow by e^epsilon at most. */
const beliefAfter = (before: number, epsilon: number): number => 1 / (1 + ((1 - before) / before) * Math.exp(-epsilon));

export const budgetScreen = (app: App): TemplateResult => {
  const { state, words } = app;
  const { budget } = words;
  const { draft, plan } = state;
  const { percent, size, duration } = numbers(state.language);
  const epsilon = Number(draft.epsilon);
  const isNumber = epsilon > 0 && Number.isFinite(epsilon);
  const say = (change: Partial<typeof draft>): void => {
    app.draft(change);
    void planSoon(app);
  };
  return screen(app, {
    title: budget.title,
    lead: budget.lead,
    next: { step: 'release', isOpen: isDeclared(state) && isNumber && (plan ?? state.planAsking) !== undefined },
    body: html`
      <div class="epsilon">
        <label for="epsilon">${budget.epsilon}</label>
        <input
          id="epsilon"
          class="figure"
          inputmode="decimal"
          .value=${draft.epsilon}
          aria-invalid=${isNumber ? nothing : 'true'}
          @input=${(event: Event) => say({ epsilon: (event.target as HTMLInputElement).value.trim().replace(',', '.') })}
        />
        <input
          type="range"
          min="0"
          max="1"
          step="0.005"
          aria-label=${budget.epsilon}
          aria-valuetext=${draft.epsilon}
          .value=${String(isNumber ? positionOf(Math.min(most, Math.max(least, epsilon))) : 0.5)}
          @input=${(event: Event) => say({ epsilon: epsilonAt(Number((event.target as HTMLInputElement).value)) })}
        />
        <label class="delta"
          >${budget.delta}
          <input .value=${draft.delta} aria-describedby="delta-about" @change=${(event: Event) => say({ delta: (event.target as HTMLInputElement).value.trim() })} />
        </label>
        <p class="about" id="delta-about">${budget.delta}: ${budget.deltaAbout}</p>
      </div>
      <div class="pair">
        <section aria-labelledby="meaning-title">
          <h2 id="meaning-title">${budget.meaning}</h2>
          <p class="about">${budget.meaningAbout}${draft.base.twoLevel === undefined ? nothing : html` ${budget.meaningHome}`}</p>
          <table class="odds">
            <thead>
              <tr>
                <th scope="col" class="number">${budget.before}</th>
                <th scope="col"><span class="hidden">${budget.after}</span></th>
                <th scope="col" class="number">${budget.after}</th>
              </tr>
            </thead>
            <tbody>
              ${[0.01, 0.1, 0.5, 0.9].map((before) => {
                const after = isNumber ? beliefAfter(before, epsilon) : before;
                return html`<tr>
                  <td class="number">${percent(before)}</td>
                  <td>
                    <svg class="belief" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                      <rect class="track" width="100" height="8" />
                      ${svg`<rect class="grown" width=${100 * after} height="8" /><rect class="known" width=${100 * before} height="8" />`}
                    </svg>
                  </td>
                  <td class="number">${percent(after)}</td>
                </tr>`;
              })}
            </tbody>
          </table>
          ${methodField(app)}
        </section>
        <section aria-labelledby="buys-title" aria-busy=${state.isPlanning ? 'true' : 'false'}>
          <h2 id="buys-title">${budget.buys}</h2>
          ${
            plan === undefined
              ? state.planAsking === undefined
                ? html`<p class="about">${state.planTrouble ?? words.working}</p>`
                : askingPlan(app, state.planAsking)
              : html`<dl class="facts">
                    <div><dt>${budget.time}</dt><dd>${budget.timeAbout(duration(plan.seconds))}</dd></div>
                    <div><dt>${budget.memory}</dt><dd>${size(plan.memory)}</dd></div>
                  </dl>
                  ${plan.drowned === undefined ? nothing : html`<p class="note"><strong>${budget.drowned}.</strong> ${plan.drowned}</p>`}
                  ${choosingNote(app)}
                  ${errorTable(app)} ${remarks(app)}`
          }
          <label
            >${budget.expected}
            <input inputmode="numeric" .value=${draft.expectedRows} aria-describedby="expected-about" @change=${(event: Event) => say({ expectedRows: (event.target as HTMLInputElement).value.trim() })} />
          </label>
          <p class="about" id="expected-about">${budget.expectedAbout}</p>
        </section>
      </div>
      ${rehearsalSection(app)} ${testFields(app)}
    `,
  });
};

/** A clause as a sentence. */
const sentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

const methodField = (app: App): TemplateResult => {
  const { state, words } = app;
  const { budget } = words;
  const { plan, draft } = state;
  return html`<h2>${budget.mechanism}</h2>
    <label
      ><span class="hidden">${budget.mechanism}</span>
      <select
        id="method"
        @change=${(event: Event) => {
          app.draft({ mechanism: (event.target as HTMLSelectElement).value });
          app.set({ rehearsal: [] });
          void planSoon(app, 0);
        }}
      >
        <option value="auto" ?selected=${draft.mechanism === 'auto'}>${draft.mechanism === 'auto' && plan !== undefined ? `${plan.mechanism}: ` : ''}${budget.auto}</option>
        ${(plan?.others ?? []).map(
          ({ name, able }) =>
            html`<option value=${name} ?selected=${draft.mechanism === name} ?disabled=${!able}>${name}${able ? '' : ` (${budget.unable.trim().replace(':', '')})`}</option>`,
        )}
      </select>
    </label>
    ${
      plan === undefined
        ? nothing
        : html`<p class="about"><strong>${plan.mechanism}</strong> ${budget.methods[plan.mechanism] ?? plan.summary}.</p>
            ${plan.why === '' ? nothing : html`<p class="about">${sentence(plan.why)}</p>`}`
    }`;
};

/** What choosing among public tables costs, where it does. */
const choosingNote = ({ state, words }: App) => {
  const { publics, together } = state.draft;
  return publics.length > 1 && together === 'paid'
    ? html`<p class="note choosing">${words.budget.choosing(publics.length)}</p>`
    : nothing;
};

/** What the method has to say about its plan, as it says it. */
const remarks = ({ state, words }: App) =>
  state.plan === undefined || state.plan.remarks.length === 0
    ? nothing
    : html`<details class="more">
        <summary>${words.budget.remarks}</summary>
        <ul class="remarks">
          ${state.plan.remarks.map((remark) => html`<li>${remark}</li>`)}
        </ul>
      </details>`;

/** What is asked of the private table before there is a schema, from what is known beforehand. */
const askingPlan = (
  { state, words }: App,
  { share, mostShare, columns, threshold, rows }: PlannedDiscovery,
): TemplateResult => {
  const { budget } = words;
  const { percent, count } = numbers(state.language);
  const asked = columns.filter(({ ask }) => ask !== 'left out');
  return html`<h3>${budget.askingTitle}</h3>
    <p class="about">${budget.askingShare(mostShare === undefined ? percent(share) : `${percent(share)}\u2013${percent(mostShare)}`, asked.filter(({ ask }) => ask !== 'nothing').length)}</p>
    ${threshold === undefined ? nothing : html`<p class="about">${budget.threshold(count(threshold))}</p>`}
    ${rows === undefined ? nothing : html`<p class="about">${budget.edges(count(rows))}</p>`}
    <div class="tall-box" tabindex="0" role="region" aria-label=${budget.askingTitle}>
      <table>
        <thead>
          <tr>
            <th scope="col">${budget.attribute}</th>
            <th scope="col">${budget.asksWhat}</th>
          </tr>
        </thead>
        <tbody>
          ${asked.map(
            ({ column, ask }) => html`<tr>
              <th scope="row">${column}</th>
              <td>${budget.asksOf[ask as keyof typeof budget.asksOf]}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="about">${budget.askingRest}</p>`;
};

const errorTable = ({ state, words }: App): TemplateResult => {
  const { budget } = words;
  const plan = state.plan!;
  const { alike, share } = numbers(state.language);
  const figure = alike(plan.errors.flatMap(({ error }) => (error === undefined ? [] : [error])));
  // Cells of households and of persons are parts of different wholes.
  const isOfHomes = state.draft.base.twoLevel !== undefined;
  return html`<p class="about">${budget.errorAbout}</p>
    <div class="tall-box" tabindex="0" role="region" aria-label=${budget.buys}>
      <table>
        <thead>
          <tr>
            <th scope="col">${budget.attribute}</th>
            <th scope="col" class="number">${budget.offBy}</th>
            <th scope="col" class="number"></th>
          </tr>
        </thead>
        <tbody>
          ${plan.errors.map(
            ({ name, cells, error }) => html`<tr>
              <th scope="row">${name}</th>
              ${
                error === undefined
                  ? html`<td class="number about" colspan="2">${budget.unmeasured}</td>`
                  : html`<td class="number">${budget.records(figure(error))}</td>
                      <td class="number about">${isOfHomes ? '' : budget.share(share(Math.min(9.99, (error * cells) / plan.assumedRows)))}</td>`
              }
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
};

const rehearsalSection = (app: App) => {
  const { state, words } = app;
  const { budget } = words;
  const { publics, base } = state.draft;
  if (publics.length === 0 || base.unit !== undefined || base.twoLevel !== undefined || !hasAll(state)) return nothing;
  const { count } = numbers(state.language);
  return html`<section class="aside" aria-labelledby="rehearse-title">
    <h2 id="rehearse-title">${budget.rehearse}</h2>
    <p class="about">${budget.rehearseAbout}</p>
    <button class="quiet" id="rehearse" ?disabled=${state.busy !== undefined} @click=${() => void rehearse(app)}>${budget.rehearse}</button>
    ${state.rehearsal.length === 0 ? nothing : html`<figure>${curve(app)}<figcaption class="about">${budget.rehearsal(count(state.rehearsal[0].rows))}</figcaption></figure>`}
  </section>`;
};

/** Errors over epsilon, both by equal ratios on the axis of epsilon. */
const curve = ({ state, words }: App): TemplateResult => {
  const { rehearsal } = state;
  const { percent } = numbers(state.language);
  const top = Math.max(...rehearsal.map(({ error, asIs }) => Math.max(error, asIs))) * 1.15;
  const x = (epsilon: number): number => 50 + (520 * Math.log(epsilon / 0.1)) / Math.log(100);
  const y = (error: number): number => 180 - (160 * error) / top;
  const asIs = rehearsal[0].asIs;
  const spoken = rehearsal.map(({ epsilon, error }) => `${epsilon}: ${percent(error)}`).join('; ');
  return html`<svg class="curve" viewBox="0 0 620 220" role="img" aria-label="${words.budget.rehearse}: ${spoken}; ${words.budget.asIs}: ${percent(asIs)}">
    ${svg`<line class="axis" x1="50" y1="180" x2="590" y2="180" />
      <line class="prior" x1="50" y1=${y(asIs)} x2="590" y2=${y(asIs)} />
      <text class="prior-text" x="590" y=${y(asIs) - 6} text-anchor="end">${words.budget.asIs}: ${percent(asIs)}</text>
      <polyline class="line" points=${rehearsal.map(({ epsilon, error }) => `${x(epsilon)},${y(error)}`).join(' ')} />
      ${rehearsal.map(
        ({ epsilon, error }) => svg`<circle class="dot" cx=${x(epsilon)} cy=${y(error)} r="4" />
          <text x=${x(epsilon)} y=${y(error) - 10} text-anchor="middle">${percent(error)}</text>
          <text class="tick" x=${x(epsilon)} y="200" text-anchor="middle">${epsilon}</text>`,
      )}`}
  </svg>`;
};

const testFields = (app: App): TemplateResult => {
  const { state, words } = app;
  const { budget } = words;
  const { draft } = state;
  const field = (label: string, about: string, id: string, value: string, set: (value: string) => void) => html`<div>
    <label for=${id}>${label}</label>
    <input id=${id} .value=${value} aria-describedby="${id}-about" @change=${(event: Event) => set((event.target as HTMLInputElement).value.trim())} />
    <p class="about" id="${id}-about">${about}</p>
  </div>`;
  return html`<details class="more">
    <summary>${budget.advanced}</summary>
    <div class="fields">
      ${field(budget.name, budget.nameAbout, 'report-title', draft.title, (title) => app.draft({ title }))}
      ${field(budget.seed, budget.seedAbout, 'seed', draft.seed, (seed) => app.draft({ seed }))}
      ${field(budget.unsafe, budget.unsafeAbout, 'unsafe-seed', draft.unsafeSeed, (unsafeSeed) => app.draft({ unsafeSeed }))}
    </div>
  </details>`;
};
