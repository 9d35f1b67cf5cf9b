import type { Random } from '../../random/random.js';

/**
 * Enclosures of unnormalised masses: low[i] <= mass i <= high[i], and all masses from low.length on are together at most `tail`.
 * The first mass is positive. The units are whatever the encloser likes, one and the same throughout.
 */
export interface Masses {
  readonly low: readonly bigint[];
  readonly high: readonly bigint[];
  readonly tail: bigint;
}

/** An exact draw from a distribution whose chances are known only as enclosures, as narrow as one asks for. */
export interface LazyChoice {
  /** How many outcomes the first table covers. */
  readonly length: number;
  /** The outcome that a uniform 31-bit integer u falls on; when it falls on an edge, `random` extends it until it does not. */
  choose(u: number, random: Random): number;
}

interface Edges {
  readonly low: readonly bigint[];
  readonly high: readonly bigint[];
}

const FIRST_BITS = 31;
const MORE_WORDS = 2;

/**
 * Encloses the cumulative chances times 2^bits, which part [0, 2^bits) among the outcomes. The last upper edge is at least 2^bits,
 * since the sum of `high` is at least that of `low`, so every value is below some edge; a value in the tail is at or above the
 * last lower edge, so it stays undecided until more bits bring a longer table.
 */
const encloseEdges = (masses: Masses, bits: number): Edges => {
  const shift = BigInt(bits);
  const least = masses.low.reduce((sum, mass) => sum + mass, 0n);
  const most = masses.high.reduce((sum, mass) => sum + mass, masses.tail);
  const low: bigint[] = [];
  const high: bigint[] = [];
  let sumLow = 0n;
  let sumHigh = 0n;
  for (let i = 0; i < masses.low.length; i++) {
    sumLow += masses.low[i];
    sumHigh += masses.high[i];
    low.push((sumLow << shift) / most);
    high.push(((sumHigh << shift) + least - 1n) / least);
  }
  return { low, high };
};

/**
 * Inverts a cumulative distribution function exactly. The uniform real V in [0, 1) is known to its first bits only: V 2^31 is in
 * [u, u + 1). Outcome i is certain once u is at or above the upper enclosure of the edge before it and u + 1 at or below the lower
 * enclosure of the edge after it. Otherwise, with chance about (number of outcomes) / 2^31, 64 more bits are drawn and narrower
 * enclosures asked for, until it is certain. However the enclosures come out, an answer given is the answer for V itself:
 * their width costs time and never changes the law.
 *
 * `enclose(bits)` should give masses whose errors, relative to their sum, and whose tail are well below 2^-bits.
 */
export const lazyChoice = (enclose: (bits: number) => Masses): LazyChoice => {
  const known = new Map<number, Edges>();
  const edges = (bits: number): Edges => {
    const found = known.get(bits) ?? encloseEdges(enclose(bits), bits);
    known.set(bits, found);
    return found;
  };

  const refine = (u: number, random: Random): number => {
    let value = BigInt(u);
    for (let bits = FIRST_BITS + 32 * MORE_WORDS; ; bits += 32 * MORE_WORDS) {
      for (let i = 0; i < MORE_WORDS; i++) value = (value << 32n) | BigInt(random.uint32());
      const { low, high } = edges(bits);
      const outcome = high.findIndex((edge) => value < edge);
      if (value < low[outcome]) return outcome;
    }
  };

  const first = edges(FIRST_BITS);
  const length = first.low.length;
  // As doubles, capped just past the largest u.
  const low = Float64Array.from(first.low, (edge) => Math.min(Number(edge), 2 ** FIRST_BITS));
  const high = Float64Array.from(first.high, (edge) => Math.min(Number(edge), 2 ** FIRST_BITS));

  // Where to start searching, by the leading bits of u: at the first outcome whose upper edge is above all u of earlier cells.
  const cellBits = Math.min(10, Math.ceil(Math.log2(length)) + 1);
  const shift = FIRST_BITS - cellBits;
  const start = new Uint32Array(2 ** cellBits);
  for (let cell = 0, outcome = 0; cell < start.length; cell++) {
    while (high[outcome] <= cell * 2 ** shift) outcome++;
    start[cell] = outcome;
  }

  return {
    length,
    choose: (u, random) => {
      let outcome = start[u >>> shift];
      while (u >= high[outcome]) outcome++;
      return u < low[outcome] ? outcome : refine(u, random);
    },
  };
};
