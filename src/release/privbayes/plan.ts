import { cellsOf } from '../../domain/domain.js';
import { rowBytes } from '../../domain/table.js';
import { marginal } from '../../query/marginal.js';
import { assumedRows, assumption, type Plan, type PublicFacts } from '../plan.js';
import { counting, treeFit } from '../work.js';
import { connectable, usefulCellsOf } from './measure-network.js';
import { type PrivbayesSettings, totalShare } from './options.js';

/** The plan of PrivBayes: the number of records, choices of parents, and a marginal for each attribute. */
export const planPrivbayes = (facts: PublicFacts, settings: PrivbayesSettings): Plan => {
  const { domain } = facts;
  const { theta, structure, estimator, modelMegabytes } = settings;
  const records = assumedRows(facts);
  const [counted] = facts.preview([marginal()], totalShare);
  const whole = counted.kind === 'none' ? 1 : 1 - totalShare;
  const usefulCells = usefulCellsOf(facts, { records, theta, measuring: (1 - structure) * whole });
  const able = new Set(connectable(domain, usefulCells).map(({ name }) => name));
  const choices = Math.max(0, able.size - 1);
  const measuring = choices === 0 ? whole : (1 - structure) * whole;
  const [noise] = facts.preview(
    domain.attributes.map(({ name }) => marginal(name)),
    measuring,
  );
  const alone = domain.attributes.filter(({ name }) => !able.has(name));
  const candidates = Math.min(settings.candidates, Math.max(1, choices) ** 2);
  const rows = records * rowBytes(domain);
  const size = usefulCells * able.size;
  const fitting =
    estimator === 'pgm'
      ? treeFit('estimate', { walked: 6 * size, length: size, steps: 5 * able.size, bytes: 32 * size }, 600)
      : { stage: 'estimate', amounts: { steps: records * domain.attributes.length * 8 } };
  return {
    steps: [
      { act: 'measure', what: 'number of records', query: marginal(), answers: 1, times: 1, noise: counted },
      ...(choices === 0
        ? []
        : [{ act: 'select' as const, what: 'an attribute and its parents', answers: candidates, times: choices }]),
      ...(able.size === 0
        ? []
        : [
            {
              act: 'measure' as const,
              what: 'an attribute with its parents',
              answers: Math.round(usefulCells),
              times: able.size,
              noise,
            },
          ]),
      ...alone.map(({ name }) => ({
        act: 'measure' as const,
        what: name,
        query: marginal(name),
        answers: cellsOf(domain, [name]),
        times: 1,
        noise,
      })),
    ],
    memory: rows + (estimator === 'pgm' ? 3e6 * modelMegabytes : 2 * rows),
    work: [counting(records, candidates, candidates * usefulCells, choices), fitting],
    replicate: { work: [fitting], bytes: rows },
    range: [0.4, 2.5],
    remarks: [
      `A marginal of several attributes may have about ${Math.floor(usefulCells)} cells, so that each holds ${theta} times its noise on average; ${alone.length} of ${domain.attributes.length} attributes are too large for any and are measured alone.`,
      'Which attributes are parents is chosen privately, one attribute after the other.',
      ...assumption(facts),
    ],
  };
};
