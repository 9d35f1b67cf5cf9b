import type { Random } from '../../src/random/random.js';
import { seeded } from '../../src/random/seeded.js';
import { uniform } from '../../src/random/uniform.js';
import { answers, writePopulation } from '../runs/tables.js';
import { type ForecastShape, shapeOf } from './shape.js';

/** What is drawn for a mechanism: between how many attributes, and whether it is beside a public table. */
interface Drawn {
  readonly mechanism: string;
  readonly attributes: readonly [number, number];
  readonly hasPublic?: boolean;
}

const drawn: readonly Drawn[] = [
  { mechanism: 'reweight', attributes: [5, 40], hasPublic: true },
  { mechanism: 'reweight', attributes: [5, 40], hasPublic: true },
  { mechanism: 'aim', attributes: [5, 40] },
  { mechanism: 'aim', attributes: [5, 40] },
  { mechanism: 'aim', attributes: [5, 20], hasPublic: true },
  { mechanism: 'jam', attributes: [5, 20], hasPublic: true },
  { mechanism: 'pairs', attributes: [5, 40] },
  { mechanism: 'mst', attributes: [5, 60] },
  { mechanism: 'privbayes', attributes: [5, 20] },
  { mechanism: 'pmw-pub', attributes: [5, 20], hasPublic: true },
  { mechanism: 'ide', attributes: [5, 12], hasPublic: true },
];

/** Evenly by its logarithm. */
const between = (random: Random, [low, high]: readonly [number, number]): number =>
  low * (high / low) ** uniform(random);

/** Two digits, as one would say it. */
const round = (value: number): number => Number(value.toPrecision(2));

const drawShape = ({ mechanism, attributes, hasPublic = false }: Drawn, seed: number): ForecastShape => {
  const random = seeded(seed);
  const count = Math.round(between(random, attributes));
  const rows = round(between(random, [5_000, 400_000]));
  const publicRows = hasPublic ? round(between(random, [2_000, 40_000])) : 0;
  const epsilon = round(between(random, [0.1, 5]));
  const name = `drawn-${count}`;
  return shapeOf(mechanism, name, { rows, publicRows, epsilon }, (folder) =>
    writePopulation(folder, name, answers(count, seed), rows, publicRows),
  );
};

/** Shapes drawn by chance, of populations that no other shape has: nothing in a plan was made by looking at them. */
export const drawnShapes: readonly ForecastShape[] = drawn.map((one, i) => drawShape(one, 1000 + i));
