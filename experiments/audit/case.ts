import type { Door, Session } from '../../src/privacy/session/session.js';
import type { Measure } from './attack.js';
import { openSide, type Setting, type Side } from './audited-session.js';

/** One audit: which loss it bounds, and how to open either side of it. */
export interface Audit {
  readonly name: string;
  readonly measure: Measure;
  /** How many times the usual number of runs it takes; 1 by default. */
  readonly effort?: number | undefined;
  /** Whether it has a bug, to be caught. */
  readonly planted: boolean;
  open(side: 0 | 1): OpenSide;
}

/** One side of an audit: runs, each of which counts as an outcome, and what they were charged. */
export interface OpenSide {
  run(): Promise<number>;
  spent(): number;
}

/** An audit of a session: a setting, what a run does with its share, and which outcome it counts as. */
export interface Case extends Omit<Audit, 'planted' | 'open'> {
  readonly setting: Setting;
  run(session: Door & Pick<Session, 'partition'>): Promise<number>;
}

/** A case as an audit. */
export const sessionAudit = ({ name, measure, effort, setting, run }: Case): Audit => ({
  name,
  measure,
  effort,
  planted: setting.plant !== undefined,
  open: (side) => {
    const opened: Side = openSide(setting, side);
    return { run: () => run(opened.next()), spent: opened.spent };
  },
});

/** Outcomes of integers in a window as one number; what lies outside counts as its edge. */
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, Math.round(value)));
