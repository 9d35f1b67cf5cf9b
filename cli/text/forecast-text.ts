import { durationText, type Forecast } from '../../src/advanced.js';

const sizeText = (bytes: number): string =>
  bytes < 1e9 ? `${Math.max(1, Math.ceil(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** What a run is forecast to take, for a person. */
export const forecastText = ({ seconds, range: [low, high], memory, threads, assumed }: Forecast): string => {
  const between =
    high > 1.2 * seconds ? ` (${durationText(low)} to ${durationText(high)}, by what the answers will be)` : '';
  const rows =
    assumed === undefined
      ? ''
      : `, should the private table have ${assumed.toLocaleString('en-US')} (nobody said: --expect-rows N does, where the number is public)`;
  return `Forecast for this machine when it does nothing else${rows}: about ${durationText(seconds)}${between} and ${sizeText(memory)}, on ${threads === 1 ? 'one thread' : `${threads} threads`}.`;
};
