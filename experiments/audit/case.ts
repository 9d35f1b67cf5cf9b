import type { Door, Session } from '../../src/privacy/session/session.js';
import type { Measure } from './attack.js';
import type { Setting } from './audited-session.js';

/** One audit: a setting, what a run does with its share, and which outcome it counts as. */
export interface Case {
  readonly name: string;
  readonly setting: Setting;
  readonly measure: Measure;
  /** How many times the usual number of runs it takes; 1 by default. */
  readonly effort?: number;
  run(session: Door & Pick<Session, 'partition'>): Promise<number>;
}

/** Outcomes of integers in a window as one number; what lies outside counts as its edge. */
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, Math.round(value)));
