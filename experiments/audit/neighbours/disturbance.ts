import type { Progress, Running } from '../../../src/domain/running.js';
import type { Tape } from './current-tape.js';

/** Something that goes wrong at the n-th progress event (or the n-th count): where it is noticed must not depend on the table. */
export interface Disturbance {
  readonly kind: 'none' | 'abort' | 'throw' | 'source';
  readonly at: number;
}

export interface Disturbed extends Running {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Progress and signal of a run, on the tape and disturbed. */
export const disturbed = ({ kind, at }: Disturbance, tape: Tape): Disturbed => {
  const controller = new AbortController();
  let events = 0;
  return {
    signal: controller.signal,
    onProgress: (progress) => {
      tape.see('progress', progress);
      tape.onMoment?.();
      if (++events !== at) return;
      if (kind === 'abort') controller.abort(new Error('aborted by the audit'));
      if (kind === 'throw') throw new Error('thrown by the listener');
    },
  };
};
