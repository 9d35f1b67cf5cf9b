/** A fit that goes downhill by mirror descent, as far as taking its steps needs it. */
export interface Descending {
  /** Twice the loss at the present point. */
  readonly chi: number;
  /** Computes the direction at the present point; needed before `attempt`. */
  findDirection(): Promise<void>;
  /**
   * Tries a step against the gradient, moved on by `momentum` times the way from the last such point (Nesterov): chi there and
   * <gradient, change>.
   */
  attempt(step: number, momentum?: number): Promise<{ chi: number; slope: number }>;
  /** Makes the last attempt the present. */
  accept(): Promise<void>;
}

/**
 * Steps there will be in all when validated stopping looks no further than where the movement is `until`: movements grow by at most
 * `pace` a step, and never fewer than were taken.
 */
export const expectedSteps = (taken: number, time: number, until: number, pace = defaultPace): number =>
  taken + Math.max(0, Math.ceil(Math.log(Math.max(1, until / Math.max(1, time))) / Math.log(pace)));

const defaultPace = 1.15;

/** A step that was taken: its length, and how much of the previous movement went on. Both fix the step for a follower. */
export interface Stride {
  readonly step: number;
  readonly momentum: number;
  /** Sum of all movements so far, in units of the shortest step. */
  readonly time: number;
}

/** Takes a stride that another fit has taken. */
export const takeStride = async (fit: Descending, { step, momentum }: Stride): Promise<void> => {
  await fit.findDirection();
  await fit.attempt(step, momentum);
  await fit.accept();
};

export interface StepperOptions {
  /**
   * The sum of movements grows by at most this factor a step, so that the best stopping point is not jumped over: 1.15 by default;
   * Infinity suits a fit that nobody means to stop on the way.
   */
  readonly pace?: number | undefined;
  /** Whether a step that fails is first tried again, shorter, with the momentum that there is. */
  readonly persistent?: boolean | undefined;
  /** Steps grow by this factor once a step has failed; 1.01 by default, less where the curvature stays and more where it changes. */
  readonly settled?: number | undefined;
  /** Momentum is that of at most so many steps, asked for before each: r/(r + 3) of a movement goes on. */
  readonly longestRun?: (() => number) | undefined;
}

/** Takes the next step of a fit. */
export interface Stepper {
  (): Promise<Stride>;
  /** Makes the next step shorter: for whoever sees that steps have become too long before the loss shows it. */
  calm(): void;
}

/**
 * Steps of accelerated mirror descent for a loss chi/2. `unit` is a step that is never too long. Steps grow until one fails to
 * lessen chi; then momentum starts anew from a shorter step, which has to pass Armijo's test (half of the predicted gain).
 */
export const stepper = (
  fit: Descending,
  unit: number,
  { pace = defaultPace, persistent = false, settled = 1.01, longestRun = () => Infinity }: StepperOptions = {},
): Stepper => {
  let longest = unit;
  let growth = 1.2;
  let moved = 0;
  let time = 0;
  /** Steps since momentum last started. */
  let run = 0;
  const advance = async (): Promise<Stride> => {
    const before = fit.chi;
    await fit.findDirection();
    let step = longest;
    let momentum = 0;
    const most = longestRun();
    for (let tries = 0; tries < 60; tries++) {
      step = longest;
      const counted = Math.min(run, most);
      momentum = counted / (counted + 3);
      const brake = pace < Infinity ? Math.min(1, ((pace - 1) * time + unit) / (step + momentum * moved)) : 1;
      step *= brake;
      momentum *= brake;
      const { chi, slope } = await fit.attempt(step, momentum);
      if (run > 0 ? chi <= before : before - chi >= -slope) break;
      growth = settled;
      longest = step * (run === 0 ? 0.5 : persistent ? 0.8 : 0.6);
      // What fails is mostly the steepest direction, whose steps are too long; momentum itself is at fault when shorter ones fail too.
      if (!persistent || tries >= 2) run = 0;
    }
    await fit.accept();
    moved = step + momentum * moved;
    time += moved;
    if (longest < 1e12 * unit) longest *= growth;
    run++;
    return { step, momentum, time: time / unit };
  };
  return Object.assign(advance, {
    calm: () => {
      growth = settled;
      longest *= 0.8;
    },
  });
};
