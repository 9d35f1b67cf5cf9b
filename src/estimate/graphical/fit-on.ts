import { InputError } from '../../domain/input-error.js';
import type { MarginalOracle } from '../../model/graphical/oracle/oracle.js';
import type { Measurement } from '../../privacy/measurement.js';
import { seeded } from '../../random/seeded.js';
import { estimateTotal } from '../total/estimate-total.js';
import { absoluteLoss } from './loss/absolute-loss.js';
import { customLoss } from './loss/custom-loss.js';
import type { MarginalLoss } from './loss/loss.js';
import { squaredLoss } from './loss/squared-loss.js';
import { direct } from './method/direct.js';
import { dualAveraging } from './method/dual-averaging.js';
import { evenShares } from './method/even-steps.js';
import { startFit } from './method/fit.js';
import type { Method } from './method/method.js';
import { minimise } from './method/minimise.js';
import { mirrorDescent, momentumDescent } from './method/mirror-descent.js';
import { validate } from './method/validate.js';
import type { GraphicalOptions } from './options.js';
import { priorStart } from './prior/start.js';
import { addPotentials, startPotentials } from './prior/start-potentials.js';
import type { FitResult, OnStep } from './step.js';
import { targetsOf } from './targets.js';
import { zeroFactors } from './zeros.js';

/** As for an estimate; where there is an oracle alone, a step has no model. */
export interface FitOptions extends Omit<GraphicalOptions, 'onStep'> {
  readonly onStep?: OnStep | undefined;
}

/** Fits the potentials of an oracle's factors, which must hold the cliques of all measurements; see `estimateGraphical`. */
export const fitOn = async (
  oracle: MarginalOracle,
  measurements: readonly Measurement[],
  options: FitOptions,
): Promise<FitResult> => {
  const { domain } = oracle.tree;
  const { loss: kind = 'l2', prior, start: model, sharing } = options;
  const { until = kind === 'l2' ? 'validated' : 'converged', algorithm = 'momentum' } = options;
  const { iterations = until === 'validated' ? 3000 : 1000 } = options;
  check(options);
  const total = options.total ?? estimateTotal(measurements, domain);
  // A model to go on from that was fitted with the prior has the prior in its own potentials.
  const start = model
    ? startPotentials(oracle, model.factors)
    : prior
      ? await priorStart(oracle, prior)
      : oracle.vector();
  addPotentials(oracle, start, zeroFactors(domain));
  const cliques = oracle.factors.map(({ attributes }) => attributes);
  const { targets, constant } = targetsOf(domain, measurements, cliques, kind === 'l2');

  if (until === 'validated')
    return validate(
      { oracle, targets, total, start, constant, sharing },
      { ...options, iterations, tolerance: options.tolerance ?? 1e-7, random: options.random ?? seeded(1) },
    );
  const loss: MarginalLoss =
    kind === 'l2'
      ? squaredLoss(oracle, targets, total, constant, undefined, sharing)
      : kind === 'l1'
        ? absoluteLoss(oracle, targets, total)
        : customLoss(oracle, kind, total);
  const method = async (): Promise<Method> => {
    switch (algorithm) {
      case 'accelerated':
        return dualAveraging(oracle, loss, start);
      case 'lbfgs':
        return direct(oracle, loss, start);
      case 'mirror-descent':
        return mirrorDescent(await startFit(oracle, loss, start, { signal: options.signal }));
      case 'momentum': {
        const even = options.even && kind === 'l2' ? evenShares(oracle, targets, total) : undefined;
        return momentumDescent(await startFit(oracle, loss, start, { signal: options.signal, even }));
      }
    }
  };
  return minimise(await method(), loss, {
    ...options,
    iterations,
    tolerance: options.tolerance ?? 1e-6,
    chi: typeof until === 'string' ? undefined : until.chi,
  });
};

const check = ({ loss = 'l2', until, algorithm, iterations, total }: FitOptions): void => {
  const named = typeof loss === 'string' ? loss : 'a custom one';
  if (until === 'validated' && loss !== 'l2')
    throw new InputError(`until: validated stopping needs the loss l2, got ${named}; use converged`);
  if (until === 'validated' && algorithm !== undefined && algorithm !== 'momentum')
    throw new InputError(
      `until: validated stopping watches mirror descent with momentum, got ${algorithm}; leave the algorithm out`,
    );
  if (algorithm === 'accelerated' && loss !== 'l2')
    throw new InputError(
      `algorithm: accelerated dual averaging needs a smooth loss of known curvature, l2, got ${named}; use momentum`,
    );
  if (iterations !== undefined && !(Number.isSafeInteger(iterations) && iterations >= 0))
    throw new InputError(`iterations: must be a whole number from 0, got ${iterations}`);
  if (total !== undefined && !(total >= 1 && total < Number.POSITIVE_INFINITY))
    throw new InputError(`total: must be a finite number of at least one record, got ${total}`);
};
