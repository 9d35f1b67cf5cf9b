import { type PopulationName, writeHomes, writeTables } from '../runs/tables.js';
import { drawnShapes } from './drawn-shapes.js';
import { type ForecastShape, shapeOf, type Told } from './shape.js';

const shape = (mechanism: string, table: PopulationName, told: Told): ForecastShape =>
  shapeOf(mechanism, table, told, (folder) => writeTables(folder, table, told.rows, told.publicRows));

/** Persons of the households, and households of them, about. */
const [persons, households] = [20_000, 8_500];

const homes = (mechanism: string, hasPublic: boolean, set: readonly string[] = []): ForecastShape => ({
  name: `${mechanism}, households`,
  rows: households,
  write: (folder) => writeHomes(folder, persons, persons),
  words: [
    ...['persons.csv', '--households', 'households.csv', '--schema', 'homes.json', '--mechanism', mechanism],
    ...['--epsilon', '1', '--delta', '1e-9', '--outside', 'clip'],
    ...(hasPublic ? ['--public', 'open-persons.csv', '--public-households', 'open-households.csv'] : []),
    ...set.flatMap((one) => ['--set', one]),
  ],
});

/** Shapes of table, mechanism and budget; small ones beside large ones, narrow beside wide. What plans take for granted of fits was seen on these. */
const seenShapes: readonly ForecastShape[] = [
  shape('reweight', 'six', { rows: 20_000, publicRows: 10_000, epsilon: 0.1 }),
  shape('reweight', 'six', { rows: 20_000, publicRows: 10_000, epsilon: 10 }),
  shape('reweight', 'eight', { rows: 300_000, publicRows: 100_000 }),
  shape('reweight', 'fifteen', { rows: 50_000, publicRows: 20_000, more: ['--bootstrap', '0'] }),
  shape('reweight', 'twenty', { rows: 2_000_000, publicRows: 20_000 }),
  shape('reweight', 'hundred', { rows: 50_000, publicRows: 2_000 }),
  shape('ide', 'eight', { rows: 300_000, publicRows: 100_000 }),
  shape('pmw-pub', 'eight', { rows: 100_000, publicRows: 30_000 }),
  shape('pmw-pub', 'fifteen', { rows: 50_000, publicRows: 20_000, set: ['rounds=50'] }),
  shape('mwem', 'six', { rows: 100_000, epsilon: 0.3 }),
  shape('mwem', 'fifteen', { rows: 50_000, set: ['estimator=pgm', 'modelMegabytes=4'] }),
  shape('aim', 'six', { rows: 20_000 }),
  shape('aim', 'fifteen', { rows: 50_000, epsilon: 3 }),
  shape('aim', 'places', { rows: 100_000, set: ['modelMegabytes=8'] }),
  shape('aim', 'places', { rows: 305_000 }),
  shape('pairs', 'places', { rows: 305_000 }),
  shape('aim', 'stations', { rows: 305_000 }),
  shape('aim', 'hundred', { rows: 20_000, epsilon: 0.3 }),
  shape('aim', 'eight', { rows: 50_000, publicRows: 10_000 }),
  shape('jam', 'eight', { rows: 50_000, publicRows: 10_000 }),
  shape('aim', 'wide', { rows: 10_000, epsilon: 0.1, more: ['--bootstrap', '0'] }),
  shape('pairs', 'fifteen', { rows: 50_000 }),
  shape('mst', 'fifteen', { rows: 50_000 }),
  shape('mst', 'hundred', { rows: 20_000 }),
  shape('privbayes', 'fifteen', { rows: 50_000 }),
  shape('hdmm', 'eight', { rows: 50_000 }),
  shape('residual-planner', 'eight', { rows: 50_000, publicRows: 20_000 }),
  shape('dual-query', 'six', { rows: 20_000, epsilon: 0.3 }),
  shape('gem', 'fifteen', { rows: 50_000, set: ['rounds=5', 'batch=200', 'steps=40'] }),
  homes('h-reweight', true),
  homes('h-gem', false, ['rounds=5', 'batch=100', 'steps=20']),
];

/** Shapes that plans were made with, and then shapes that were drawn by chance when plans were as they are. */
export const forecastShapes: readonly ForecastShape[] = [...seenShapes, ...drawnShapes];
