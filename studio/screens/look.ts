import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { lookAtPair, verify } from '../acts/opened.js';
import type { App } from '../app.js';
import type { ShownPair, ShownWay } from '../core/look.js';
import { numbers } from '../parts/numbers.js';
import { screen } from '../parts/screen.js';
import { wayPlot } from '../parts/way-plot.js';
import { isWhole } from '../state.js';

export const lookScreen = (app: App): TemplateResult => {
  const { state, words } = app;
  const { look } = words;
  const { count } = numbers(state.language);
  const release = state.release!;
  const { privacy } = release.manifest;
  const ways = state.ways ?? [];
  const hasPublic = ways.some((way) => way.public !== undefined);
  const sorted = state.byDifference
    ? [...ways].sort((one, other) => (other.distance ?? 0) - (one.distance ?? 0))
    : ways;
  return screen(app, {
    title: look.title,
    lead: look.lead,
    next: { step: 'ask', isOpen: true },
    body: html`
      ${privacy.seeded ? html`<p class="problems"><strong>${look.unseeded}</strong></p>` : nothing}
      <dl class="figures">
        <div><dt>${look.epsilon}${privacy.delta === undefined ? nothing : html` <span>${look.delta} ${privacy.delta}</span>`}</dt><dd>${roundedUp(privacy.epsilon ?? privacy.spent)}</dd></div>
        <div><dt>${release.homes === undefined ? look.records : look.persons}</dt><dd>${count(release.total)}</dd></div>
        ${release.homes === undefined ? nothing : html`<div><dt>${look.homes}</dt><dd>${count(release.homes)}</dd></div>`}
        <div><dt>${look.method}</dt><dd>${release.manifest.mechanism.name}</dd></div>
        <div><dt>${look.beside}</dt><dd class="name">${release.manifest.public?.file ?? look.none}</dd></div>
      </dl>
      ${verdictBox(app)}
      <details class="more">
        <summary>${look.statement}</summary>
        <p class="statement">${privacy.text}</p>
      </details>
      ${askedBox(app)}
      <div class="reading">
        <div class="key" aria-hidden="true">
          <span><i class="mark released"></i>${look.released}</span>
          ${hasPublic ? html`<span><i class="mark public"></i>${look.publicKey}</span>` : nothing}
        </div>
        ${
          hasPublic
            ? html`<label class="check"
                  ><input type="checkbox" .checked=${state.byDifference} @change=${(event: Event) => app.set({ byDifference: (event.target as HTMLInputElement).checked })} />
                  ${look.order}</label
                >
                <p class="about">${look.byChance}</p>`
            : nothing
        }
      </div>
      <div class="cards">${sorted.map((way) => wayCard(app, way))}</div>
      ${pairSection(app)}
    `,
  });
};

/** What was asked of the private table before there was a schema. */
const askedBox = ({ state, words }: App) => {
  const { look } = words;
  const { discovery } = state.release!.manifest;
  if (discovery === undefined) return nothing;
  const { percent } = numbers(state.language);
  const declared = discovery.draft.attributes.filter(isWhole).map(({ name }) => name);
  const { attributes } = state.release!;
  const names = attributes.map(({ name }) => name).filter((name) => !declared.includes(name));
  return html`<details class="more">
    <summary>${look.asked}</summary>
    <p class="about">${look.askedAbout(names.join(', '), percent(discovery.share))}</p>
  </details>`;
};

/** A decimal to three digits, never less than it is. */
const roundedUp = (text: string): string => {
  const value = Number(text);
  const unit = 10 ** (Math.floor(Math.log10(value || 1)) - 2);
  return String(Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(3)));
};

const wayCard = ({ state, words }: App, way: ShownWay): TemplateResult => {
  const { look } = words;
  const { percent, share } = numbers(state.language);
  const explained = way.beyond === undefined ? '' : way.beyond === 0 ? look.explained : look.notExplained(way.beyond);
  return html`<figure class="card-plot">
    <figcaption>
      <h2>${way.name}${way.ofHome ? html` <span class="tag">${look.ofHome}</span>` : nothing}</h2>
      ${way.distance === undefined ? nothing : html`<p class="about">${look.differs(percent(way.distance))}; ${explained}</p>`}
    </figcaption>
    ${wayPlot(way, words, share)}
    <details>
      <summary>${look.asTable}</summary>
      <div class="tall-box" tabindex="0" role="region" aria-label="${way.name}, ${look.asTable}">
        <table>
          <thead>
            <tr>
              <th scope="col">${look.cell}</th>
              <th scope="col" class="number">${look.share}</th>
              <th scope="col" class="number">${look.bounds}</th>
              ${way.public === undefined ? nothing : html`<th scope="col" class="number">${look.publicKey}</th>`}
            </tr>
          </thead>
          <tbody>
            ${way.labels.slice(0, 400).map(
              (label, i) => html`<tr>
                <th scope="row">${label}</th>
                <td class="number">${share(way.values[i])}</td>
                <td class="number">${Number.isNaN(way.low[i]) ? '' : `${share(way.low[i])} – ${share(way.high[i])}`}</td>
                ${way.public === undefined ? nothing : html`<td class="number">${share(way.public[i])}</td>`}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`;
};

const verdictBox = (app: App): TemplateResult => {
  const { state, words } = app;
  const { look } = words;
  const { verdict } = state;
  if (verdict === undefined)
    return html`<div class="checking">
      <button class="quiet" id="verify" @click=${() => void verify(app)}>${look.check}</button>
      <p class="about">${look.checkAbout}</p>
    </div>`;
  const isWhole = verdict.faults.length === 0;
  return html`<div class=${isWhole ? 'verdict' : 'problems'} role="status">
    <strong>${isWhole ? look.whole : look.broken}</strong>${verdict.withLedger ? html` <span class="about">(${look.withLedger})</span>` : nothing}
    <ul>
      ${(isWhole ? verdict.checks : verdict.faults).map((line) => html`<li>${line}</li>`)}
    </ul>
  </div>`;
};

const pairSection = (app: App): TemplateResult => {
  const { state, words } = app;
  const { look } = words;
  const names = state.release!.attributes.map(({ name }) => name);
  if (names.length < 2) return html``;
  const [first, second] = state.pairNames ?? [names[0], names[1]];
  const select = (
    label: string,
    value: string,
    id: string,
    pick: (name: string) => readonly [string, string],
  ) => html`<label
    >${label}
    <select id=${id} @change=${(event: Event) => void lookAtPair(app, pick((event.target as HTMLSelectElement).value))}>
      ${names.map((name) => html`<option value=${name} ?selected=${name === value}>${name}</option>`)}
    </select>
  </label>`;
  return html`<section class="aside" aria-labelledby="pair-title">
    <h2 id="pair-title">${look.pair}</h2>
    <div class="fields">
      ${select(look.first, first, 'pair-first', (name) => [name, name === second ? first : second])}
      ${select(look.second, second, 'pair-second', (name) => [name === first ? second : first, name])}
      ${state.pair === undefined ? html`<button class="quiet" id="pair" @click=${() => void lookAtPair(app, [first, second])}>${look.see}</button>` : nothing}
    </div>
    ${state.pair === undefined ? nothing : state.pair === 'too large' ? html`<p class="about">${look.tooLarge}</p>` : heat(app, state.pair)}
  </section>`;
};

const heat = ({ state }: App, { names, labels, values }: ShownPair): TemplateResult => {
  const { percent } = numbers(state.language);
  const [rows, columns] = [labels[0].length, labels[1].length];
  const most = Math.max(...values);
  const cell = Math.max(8, Math.min(30, 640 / columns));
  const [left, top] = [130, 90];
  const short = (label: string): string => (label.length > 16 ? `${label.slice(0, 15)}…` : label);
  const everyRow = Math.ceil(12 / cell);
  // The last names lean beyond the last cells.
  const width = left + columns * cell + 70;
  return html`<div class="wide" tabindex="0" role="region" aria-label="${names[0]} × ${names[1]}">
    <svg class="heat" viewBox="0 0 ${width} ${top + rows * cell + 10}" width=${width} role="img" aria-label="${names[0]} × ${names[1]}">
      ${labels[0].map((label, i) => (i % everyRow === 0 ? svg`<text class="name" x=${left - 8} y=${top + (i + 0.5) * cell + 4} text-anchor="end">${short(label)}</text>` : nothing))}
      ${labels[1].map((label, k) => (k % everyRow === 0 ? svg`<text class="name" transform="translate(${left + (k + 0.5) * cell + 4},${top - 8}) rotate(-50)">${short(label)}</text>` : nothing))}
      ${values.map((share, at) => {
        const step = Math.min(6, Math.floor((6.999 * Math.sqrt(Math.max(0, share))) / Math.sqrt(most)));
        const [i, k] = [Math.floor(at / columns), at % columns];
        return svg`<rect class="heat-${step}" x=${left + k * cell} y=${top + i * cell} width=${cell - 1} height=${cell - 1}><title>${labels[0][i]} × ${labels[1][k]}: ${percent(share)}</title></rect>`;
      })}
    </svg>
  </div>`;
};
