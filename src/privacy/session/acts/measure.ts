import { InputError } from '../../../domain/input-error.js';
import { attributesOf } from '../../../query/answer.js';
import { describeQuery } from '../../../query/describe-query.js';
import { marginal } from '../../../query/marginal.js';
import type { Query } from '../../../query/query.js';
import { residualSizes } from '../../../query/residual.js';
import { residualSensitivity } from '../../../query/sensitivity/residual-sensitivity.js';
import type { Amount } from '../../accounting/amount.js';
import type { Measurement, Noise } from '../../measurement.js';
import { checkContrasts, residualOf } from '../../noise/contrasts.js';
import { gaussianDetails } from '../../noise/gaussian-details.js';
import {
  defaultNoise,
  type NoiseCharge,
  type NoiseName,
  noiseChargeFor,
  noiseIn,
  noiseKinds,
} from '../../noise/noise-kinds.js';
import { residualCharge } from '../../noise/residual-charge.js';
import { rational } from '../../rational.js';
import type { DoorParts } from '../door-parts.js';
import { ownMeasureOptions, ownQueries } from '../own-input.js';
import type { Door, MeasureOptions, Share } from '../session.js';
import { divide } from '../share.js';

/** How one query will be measured: its charge, or none where neighbours cannot differ in its answers. */
interface Plan {
  readonly query: Query;
  readonly noise: Noise;
  readonly charge: NoiseCharge | undefined;
  /** Of a residual, the sizes of its attributes: it is answered from the counts of their marginal. */
  readonly sizes?: readonly number[] | undefined;
}

/** Noisy answers: plan, pay, read, add noise. */
export const measuring = ({
  domain,
  relation,
  unit,
  account,
  exact,
  primitives,
  sensitivityOf,
  running,
}: DoorParts): Pick<Door, 'measure' | 'preview'> => {
  const planOne = (query: Query, amount: Amount, kind: NoiseName): Plan => {
    const sizes = residualSizes(query, domain);
    if (sizes !== undefined) return planResidual(query, sizes, amount, kind);
    const norms = sensitivityOf(query);
    if (norms.l1 === 0) return { query, noise: { kind: 'none', scale: 0 }, charge: undefined };
    const { sensitivityIn, scaleOf } = noiseKinds[kind];
    const bought = noiseChargeFor(kind, amount, rational(sensitivityIn(norms)), account.currency);
    const charge = account.currency === 'gdp' ? { ...bought, ...gaussianDetails(query, kind, unit) } : bought;
    return { query, noise: { kind, scale: scaleOf(noiseIn(charge).parameter) }, charge };
  };

  /** Of a residual the contrasts leave and nothing else, so that noise on the marginal is charged for less than the marginal. */
  const planResidual = (query: Query, sizes: readonly number[], amount: Amount, kind: NoiseName): Plan => {
    if (kind !== 'gaussian')
      throw new InputError(
        `residual of ${attributesOf(query).join(', ')}: must be measured with Gaussian noise, got ${kind}; give a budget with a delta`,
      );
    const charge = residualCharge(
      amount,
      residualSensitivity(sizes, relation, unit.maxRecords),
      sizes,
      account.currency,
    );
    if (charge === undefined) return { query, noise: { kind: 'none', scale: 0 }, charge: undefined };
    checkContrasts(sizes, charge.sigmaSquared);
    const noise = { kind, scale: noiseKinds.gaussian.scaleOf(charge.sigmaSquared) };
    if (account.currency !== 'gdp') return { query, noise, charge, sizes };
    return { query, noise, charge: { ...charge, ...gaussianDetails(query, kind, unit, sizes) }, sizes };
  };

  const plan = (queries: readonly Query[], share: Share, options: MeasureOptions = {}): Plan[] => {
    const own = ownMeasureOptions(options);
    const { noise = defaultNoise[account.currency], weights = queries.map(() => 1) } = own;
    if (queries.length === 0) throw new InputError('queries: must be at least one, got none');
    if (weights.length !== queries.length)
      throw new InputError(`weights: must be one for each of ${queries.length} queries, got ${weights.length}`);
    const amounts = divide(account.amount(share), weights);
    return queries.map((query, index) => planOne(query, amounts[index], noise));
  };

  const noisy = (answers: Float64Array, { charge, sizes }: Plan): Float64Array => {
    if (charge === undefined) return answers.slice();
    const { parameter } = noiseIn(charge);
    return sizes === undefined
      ? primitives.addNoise(charge.kind, answers, parameter)
      : residualOf(primitives.contrasts(answers, sizes, parameter), sizes);
  };

  return {
    preview: (queries, share, options) => plan(ownQueries(queries), share, options).map(({ noise }) => noise),
    async measure(given, share, options) {
      const queries = ownQueries(given);
      const plans = plan(queries, share, options);
      const charges = plans.flatMap(({ charge }) => charge ?? []);
      exact.check(queries);
      const what = queries.length === 1 ? `measure ${describeQuery(queries[0])}` : `measure ${queries.length} queries`;
      const measured = await account.pay(what, charges, async (drawing) => {
        const values: Float64Array[] = [];
        const asked = plans.map(({ query, sizes }) => (sizes === undefined ? query : marginal(...attributesOf(query))));
        await exact.each(asked, async (answers, index) => {
          if (index === 0) await drawing();
          values.push(noisy(answers, plans[index]));
          running.onProgress?.({ stage: 'measure', done: index + 1, total: queries.length });
        });
        return values;
      });
      return plans.map(({ query, noise }, index): Measurement => ({ query, values: measured[index], noise }));
    },
  };
};
