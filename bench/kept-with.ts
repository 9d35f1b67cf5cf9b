import type { Figure, KeptFigures } from './figures.js';

/** Kept figures with new ones among them: one of the same name takes the old one's place, others come last. */
export const keptWith = (old: KeptFigures | undefined, now: KeptFigures): KeptFigures => {
  if (old === undefined) return now;
  const renewed = new Map<string, Figure>(now.figures.map((figure) => [figure.what, figure]));
  const figures = old.figures.map((figure) => {
    const own = renewed.get(figure.what);
    renewed.delete(figure.what);
    return own ?? figure;
  });
  return { ...now, figures: [...figures, ...renewed.values()] };
};
