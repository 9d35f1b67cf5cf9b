import { html, svg, type TemplateResult } from 'lit-html';

/** A small picture of counts; its words are for those who do not see it. */
export const histogram = (counts: readonly number[], label: string): TemplateResult => {
  const shown = counts.slice(0, 60);
  const most = Math.max(1, ...shown);
  const width = 120 / shown.length;
  return html`<svg class="histogram" viewBox="0 0 120 28" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${shown.map((count, i) => {
      const height = (26 * count) / most;
      return svg`<rect x=${i * width} y=${28 - height} width=${Math.max(0.6, width - (width > 3 ? 1 : 0.2))} height=${height} />`;
    })}
  </svg>`;
};
