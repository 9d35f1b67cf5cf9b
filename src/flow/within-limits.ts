import { durationText } from '../domain/duration-text.js';
import { InputError } from '../domain/input-error.js';
import { bytesText } from '../domain/limits.js';
import type { Turns } from '../domain/turns.js';
import type { Rates } from '../kernel/calibrate.js';
import type { AnyMechanism } from '../release/mechanism.js';
import type { PublicFacts } from '../release/plan.js';
import type { Settings } from '../release/settings.js';
import { type Forecast, forecastOf } from './forecast.js';

/** What a run may take, by its forecast. */
export interface RunLimits {
  /** Seconds by the clock. */
  readonly seconds?: number | undefined;
  /** Bytes of the whole process. */
  readonly bytes?: number | undefined;
}

/** What became of a mechanism that was to stay within limits. */
export interface Fitted {
  readonly settings: Settings;
  readonly replicates: number;
  /** A sentence for everything that is less than it would have been; none where nothing had to be. */
  readonly gaveUp: readonly string[];
}

/** What is made to fit. */
export interface LimitRequest {
  readonly facts: PublicFacts;
  readonly mechanism: AnyMechanism;
  readonly settings: Settings;
  readonly replicates: number;
  readonly rows?: number | undefined;
  readonly threads: number;
  /** As in `ForecastRequest`. */
  readonly oneByOne?: boolean | undefined;
  readonly syncSeconds?: number | undefined;
}

/** Replicates below which bounds say little. */
const fewestReplicates = 2;

/** What a run with these settings is forecast to take. */
export const forecastFor = (request: LimitRequest, rates: Rates): Forecast => {
  const { facts, mechanism, settings } = request;
  const drawsRows = mechanism.drawsRows?.(settings) ?? true;
  return forecastOf({ ...request, plan: mechanism.plan(facts, settings), drawsRows }, rates);
};

/**
 * Makes a mechanism stay within limits by its forecast, from public things alone: half of the replicates at a time, then half of each setting
 * that the mechanism can do with less of, in turn, and last no replicates. Refuses where that is not enough.
 */
export function* withinLimits(request: LimitRequest, limits: RunLimits, rates: Rates): Turns<Fitted> {
  const { mechanism, facts, settings: asked } = request;
  const { seconds = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = limits;
  const lighter = mechanism.lighter ?? [];
  let { settings, replicates } = request;
  let next = 0;
  let still = 0;
  for (;;) {
    const forecast = forecastFor({ ...request, settings, replicates, oneByOne: limits.bytes !== undefined }, rates);
    yield;
    if (forecast.seconds <= seconds && forecast.memory <= bytes)
      return { settings, replicates, gaveUp: given(request, settings, replicates) };
    if (replicates > fewestReplicates) {
      replicates = Math.max(fewestReplicates, replicates >> 1);
      continue;
    }
    const one = lighter[next++ % Math.max(1, lighter.length)];
    const less = one && lessOf(settings, one.setting, one.least);
    if (less !== undefined && mechanism.fits(facts, less).able) {
      settings = less;
      still = 0;
      continue;
    }
    if (++still < lighter.length) continue;
    if (replicates > 0) {
      replicates = 0;
      settings = asked;
      still = 0;
      continue;
    }
    throw refusal(mechanism.name, forecast, limits);
  }
}

/** The settings with half of one of them; undefined where it is as small as it may be. */
const lessOf = (settings: Settings, setting: string, least: number): Settings | undefined => {
  const value = settings[setting] as number;
  if (value <= least) return undefined;
  return { ...settings, [setting]: Math.max(least, Number.isInteger(value) ? Math.ceil(value / 2) : value / 2) };
};

const given = (
  { mechanism, settings: asked, replicates: wanted }: LimitRequest,
  settings: Settings,
  replicates: number,
) => [
  ...(replicates === wanted
    ? []
    : [
        replicates === 0
          ? `no bootstrap replicates in place of ${wanted}: answers have no bounds but those of their noise`
          : `${replicates} bootstrap replicates in place of ${wanted}: bounds of answers are rougher`,
      ]),
  ...(mechanism.lighter ?? [])
    .filter(({ setting }) => settings[setting] !== asked[setting])
    .map(({ setting, what }) => `${setting} ${settings[setting]} in place of ${asked[setting]}: ${what}`),
];

const refusal = (name: string, { seconds, memory }: Forecast, limits: RunLimits): InputError =>
  limits.seconds !== undefined && seconds > limits.seconds
    ? new InputError(
        `time: must allow what ${name} takes when it is given up what can be, ${durationText(seconds)} by its forecast, got ${durationText(limits.seconds)}; allow more, or use fewer columns or another mechanism`,
      )
    : new InputError(
        `memory: must allow what ${name} takes when it is given up what can be, ${bytesText(memory)} by its forecast, got ${bytesText(limits.bytes!)}; allow more, or use fewer columns or another mechanism`,
      );
