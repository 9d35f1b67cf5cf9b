import { createEngine, createNetworkEngine } from './engine.js';
import { jobBytes, writeJob } from './job.js';
import { gemmScratch } from './kernels.js';
import { shapeWords, writeShape } from './table-shape.js';

/**
 * Kinds of work, by what a machine takes time for. `visits`: a row in a marginal, gathered from or scattered to its cell. `cells`: a cell of
 * a table of several attributes, multiplied and summed. `products`: a multiplication and addition of matrices. `counts`: a row
 * counted in a marginal. `steps`: a step of plain script, such as looking a name up or handing a number on.
 */
export type WorkKind = 'visits' | 'cells' | 'products' | 'counts' | 'steps';

/** Nanoseconds that one thread takes for a unit of each kind. */
export type Rates = Readonly<Record<WorkKind, number>>;

/** Milliseconds for each kind, and at most where calls are fewer than `fewest`, though never fewer than `few`: a forecast must not be long in coming. */
const [allowed, most] = [25, 50];
/** The first calls are not compiled well yet, by threads that a busy machine keeps waiting, and some are interrupted. */
const [few, fewest] = [60, 100];

/** The least time of a call, in milliseconds: what else the machine does only ever adds. */
const leastTime = (call: () => void): number => {
  let least = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let calls = 1; ; calls++) {
    const from = performance.now();
    call();
    const now = performance.now();
    // A clock too coarse for one call says 0 at times.
    if (now > from) least = Math.min(least, now - from);
    const elapsed = now - start;
    if ((calls >= fewest && elapsed > allowed) || (calls >= few && elapsed > most)) break;
  }
  return Number.isFinite(least) ? least : most;
};

/** Nanoseconds a unit. */
const rateOf = (units: number, call: () => void): number => (leastTime(call) * 1e6) / units;

/** A call takes a tenth of a millisecond or so: short enough to go uninterrupted on a busy machine. */
const rows = 2 ** 17;
const [side, depth] = [2 ** 6, 2 ** 5];

/** Rates of two cores of 2020, with which a machine is compared. */
const usual: Rates = { visits: 0.43, cells: 0.37, products: 0.046, counts: 0.6, steps: 25 };
/** Machines are not so much slower at one kind than at another: such a call was not compiled well yet, or always interrupted. */
const mostApart = 2;

/** The rates, without those that a busy machine has spoilt. */
const trusted = (rates: Rates): Rates => {
  const kinds = Object.keys(usual) as WorkKind[];
  const least = Math.min(...kinds.map((kind) => rates[kind] / usual[kind]));
  const of = (kind: WorkKind): number => Math.min(rates[kind], mostApart * least * usual[kind]);
  return {
    visits: of('visits'),
    cells: of('cells'),
    products: of('products'),
    counts: of('counts'),
    steps: of('steps'),
  };
};

const measure = async (): Promise<Rates> => {
  const { kernels, arena } = await createEngine();
  const [index, weights, table] = [arena.u32(rows), arena.f64(rows), arena.f64(1024)];
  for (let row = 0; row < rows; row++) index.view[row] = Math.imul(row, 0x9e3779b1) >>> 22;
  weights.view.fill(1);
  table.view.fill(0);
  const visits = rateOf(2 * rows, () => {
    kernels.scatterAdd(index.address, weights.address, table.address, rows);
    kernels.gatherAdd(index.address, table.address, 1e-9, weights.address, rows);
  });

  // Three axes, with an operand repeated along the first and sums over the last.
  const cells = side * side * depth;
  const [a, b, target, sums] = [arena.f64(cells), arena.f64(side * depth), arena.f64(cells), arena.f64(side * side)];
  for (const { view } of [a, b]) view.fill(0.5);
  const shape = arena.u32(shapeWords(3));
  writeShape(shape.view, [
    { length: side, a: 8 * side * depth, b: 0, target: 8 * side * depth, sums: 8 * side },
    { length: side, a: 8 * depth, b: 8 * depth, target: 8 * depth, sums: 8 },
    { length: depth, a: 8, b: 8, target: 8, sums: 0 },
  ]);
  const ofTables = rateOf(cells, () => {
    kernels.multiplySumTables(shape.address, a.address, b.address, target.address, sums.address);
  });

  const codes = [arena.u8(rows), arena.u8(rows)];
  for (const [k, { view }] of codes.entries())
    for (let row = 0; row < rows; row++) view[row] = (Math.imul(row + k, 0x9e3779b1) >>> 8) % 10;
  const [counted, scratch] = [arena.u32(100), arena.allocate(2 ** 14)];
  counted.view.fill(0);
  const job = arena.u32(jobBytes(2) / 4);
  writeJob(job.view, {
    columns: codes.map(({ address }) => ({ address, bytes: 1, size: 10 })),
    cells: 100,
    copies: 1,
    table: counted.address,
  });
  const counts = rateOf(rows, () => kernels.count(job.address, 1, 0, rows, scratch));
  return trusted({ visits, cells: ofTables, products: await productRate(), counts, steps: stepRate() });
};

const productRate = async (): Promise<number> => {
  const { kernels, arena } = await createNetworkEngine();
  const size = 128;
  const [a, b, c] = [arena.allocate(4 * size * size), arena.allocate(4 * size * size), arena.allocate(4 * size * size)];
  const scratch = arena.allocate(gemmScratch);
  kernels.clear(a, 4 * size * size);
  kernels.clear(b, 4 * size * size);
  return rateOf(size ** 3, () => kernels.gemm(a, size, 1, b, size, 1, c, size, size, size, size, 0, scratch));
};

/** A step: a name looked up and a number handed on. */
const stepRate = (): number => {
  const names = Array.from({ length: 512 }, (_, k) => `name ${k}`);
  const places = new Map(names.map((name, place) => [name, place]));
  let kept = 0;
  return rateOf(names.length * 16, () => {
    for (let turn = 0; turn < 16; turn++) {
      const found = names.map((name) => ({ place: places.get(name)! }));
      kept += found.filter(({ place }) => place % 2 === 0).length;
    }
    if (kept < 0) throw new Error('unreachable');
  });
};

let known: Promise<Rates> | undefined;

/**
 * How fast this machine is, measured once a process by its own kernels: some 150 milliseconds, in Node and in browsers. What a plan counts
 * times these is how long it takes.
 */
export const machineRates = (): Promise<Rates> => {
  known ??= measure();
  return known;
};
