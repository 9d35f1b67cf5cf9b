import { type Spread, spreadOf } from '../src/evaluate/spread.js';

export { type Spread, spreadOf };

export const showSpread = ({ mean, deviation }: Spread): string => `${mean.toFixed(4)} ±${deviation.toFixed(4)}`;
