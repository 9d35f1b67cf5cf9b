import { type Spread, spreadOf } from '../src/evaluate/spread.js';

export { type Spread, spreadOf };

/** The spread of the values of both. */
export const combined = (a: Spread, b: Spread): Spread => {
  const runs = a.runs + b.runs;
  const mean = (a.runs * a.mean + b.runs * b.mean) / runs;
  const squaresOf = (spread: Spread): number =>
    (spread.runs - 1) * spread.deviation ** 2 + spread.runs * (spread.mean - mean) ** 2;
  return { mean, deviation: Math.sqrt((squaresOf(a) + squaresOf(b)) / (runs - 1)), runs };
};

export const showSpread = ({ mean, deviation }: Spread): string => `${mean.toFixed(4)} ±${deviation.toFixed(4)}`;
