import { dataFolder, loadCodes } from '../../experiments/data/load-codes.js';
import type { Table } from '../../src/domain/table.js';
import { type MadeShape, madeTable } from './made-table.js';

/** A table that the benchmark releases, and the public one beside it, where there is one. */
export interface WideShape {
  readonly what: string;
  readonly table: (data: string | undefined) => Table;
  readonly prior?: () => Table;
  /** AIM by default. */
  readonly mechanism?: 'reweight' | undefined;
}

/** Codes of places and stations, of days and of kinds: 305,000 records. */
const places = [2, 2, 5, 8, 8, 9, 10, 11, 11, 12, 15, 28, 31, 42, 46];
const more = [2, 2, 2, 3, 3, 4, 5, 6, 7, 9, 12, 16, 20, 24, 30];
const placesOf = (sizes: readonly number[]): MadeShape => ({
  sizes,
  rows: 305_000,
  spots: [300, 80],
  loose: [0.002, 0.08],
});

/** Many attributes of 2 to 12 codes that go together more loosely. */
export const answersOf = (count: number): MadeShape => ({
  sizes: Array.from({ length: count }, (_, i) => 2 + ((i * i + 3 * i) % 11)),
  rows: 100_000,
  spots: Array.from({ length: Math.ceil(count / 10) }, (_, i) => 20 + 7 * i),
  loose: [0.1, 0.8],
});

const publicRows = 20_000;
const beside =
  (shape: MadeShape, seed: number, rows = publicRows) =>
  (): Table =>
    madeTable({ ...shape, rows }, seed, 2, 0.02);

/** Validated reweighting beside a public table. */
const reweighting = (what: string, shape: MadeShape, seed: number, rows?: number): WideShape => ({
  what: `${what}, reweighting`,
  table: () => madeTable(shape, seed),
  prior: beside(shape, seed, rows),
  mechanism: 'reweight',
});

/** By what `--only` calls them. */
export const shapes: Readonly<Record<string, WideShape>> = {
  15: { what: '15 codes of places', table: () => madeTable(placesOf(places), 1) },
  30: { what: '30 codes of places', table: () => madeTable(placesOf([...places, ...more]), 1) },
  loans: { what: 'loans, 48 columns', table: (data) => loadCodes(dataFolder(data), 'pgm-four/loans') },
  100: { what: '100 attributes', table: () => madeTable(answersOf(100), 2) },
  300: { what: '300 attributes', table: () => madeTable(answersOf(300), 3) },
  '100-public': {
    what: '100 attributes beside a public table',
    table: () => madeTable(answersOf(100), 2),
    prior: beside(answersOf(100), 2),
  },
  '300-public': {
    what: '300 attributes beside a public table',
    table: () => madeTable(answersOf(300), 3),
    prior: beside(answersOf(300), 3),
  },
  'reweight-100': reweighting('100 attributes beside a public table', answersOf(100), 2),
  'reweight-300': reweighting('300 attributes beside a public table', answersOf(300), 3),
  'reweight-large': reweighting(
    '20 attributes and two million rows beside a public table of as many',
    { ...answersOf(20), rows: 2_000_000 },
    5,
    2_000_000,
  ),
};
