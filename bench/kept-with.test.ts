import { expect, test } from 'vitest';
import { type KeptFigures, smaller } from './figures.js';
import { keptWith } from './kept-with.js';

const kept = (day: string, ...figures: KeptFigures['figures']): KeptFigures => ({
  name: 'wide',
  command: 'npm run bench -- wide',
  kept: day,
  machine: { cores: 2, processor: 'one', node: 'v20', load: 0 },
  figures,
});

test('a piece that is run again takes the place of its old figures, leaves the others where they are, and new ones come last', () => {
  const old = kept('2026-01-01', smaller('a', 1, 2, 's'), smaller('b', 3, 4, 's'));
  const now = kept('2026-01-02', smaller('c', 5, 6, 's'), smaller('a', 7, 8, 's'));
  expect(keptWith(old, now)).toEqual(
    kept('2026-01-02', smaller('a', 7, 8, 's'), smaller('b', 3, 4, 's'), smaller('c', 5, 6, 's')),
  );
});

test('the first piece is kept as it is', () => {
  const now = kept('2026-01-02', smaller('a', 1, 2, 's'));
  expect(keptWith(undefined, now)).toEqual(now);
});
