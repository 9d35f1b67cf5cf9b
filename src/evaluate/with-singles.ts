import { eachInTurn, type Turns } from '../domain/turns.js';
import type { Answering } from '../model/model.js';
import type { Replicates } from '../model/replicates.js';
import { answerFrom, attributesIn } from '../query/answer.js';
import type { Query } from '../query/query.js';
import type { BoundsSource } from './bounds.js';

/** The one attribute whose marginal answers a query of records. */
const singleOf = (query: Query): string | undefined => {
  const [name, ...others] = query.kind === 'holding' ? [] : attributesIn(query);
  return others.length === 0 ? name : undefined;
};

/** A model that answers what concerns one attribute from counts that it was asked for before. */
const remembering = (counts: ReadonlyMap<string, Float64Array>, own: () => Answering): Answering => {
  const { domain, total, cost } = own();
  const covers = own().covers && ((attributes: readonly string[]): boolean => own().covers!(attributes));
  return {
    domain,
    total,
    cost,
    covers,
    marginal: (attributes) =>
      (attributes.length === 1 && counts.get(attributes[0])?.slice()) || own().marginal(attributes),
    answer: (query) => {
      const single = singleOf(query);
      const known = single === undefined ? undefined : counts.get(single);
      return known === undefined ? own().answer(query) : answerFrom(query, domain, known);
    },
  };
};

/**
 * The same source, with replicates that have been asked for all single attributes: each once, for all of them. Replicates of a large model do not fit into memory
 * together (`heldList`), and whoever asked for one attribute after the other would have each made anew for each attribute.
 */
export function* withSingles<Source extends BoundsSource>(source: Source): Turns<Source> {
  const { replicates } = source;
  if (replicates === undefined) return source;
  const { covers = () => true, domain } = source.model;
  const names = domain.attributes.map(({ name }) => name).filter((name) => covers([name]));
  function* asked(list: readonly Answering[]): Turns<Answering[]> {
    const remembered: Answering[] = [];
    for (let k = 0; k < list.length; k++) {
      const model = list[k];
      const counts = yield* eachInTurn(names, (name) => [name, model.marginal([name])] as const);
      remembered.push(remembering(new Map(counts), () => list[k]));
    }
    return remembered;
  }
  const known: Replicates = {
    ...replicates,
    models: yield* asked(replicates.models),
    truths: yield* asked(replicates.truths),
  };
  return { ...source, replicates: known };
}
