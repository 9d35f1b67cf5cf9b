import * as v from 'valibot';
import { cellsOf } from '../../domain/domain.js';
import { type LocalModel, localModel } from '../../model/local-model.js';
import { answerSize } from '../../query/answer.js';
import { parseQuery } from '../../query/parse-query.js';
import { badModel, type ModelCodec } from './model-codec.js';

const meta = v.strictObject({
  total: v.pipe(v.number(), v.finite(), v.minValue(0)),
  tables: v.array(v.array(v.string())),
  queries: v.array(v.unknown()),
});

/** Tables of estimated counts and answers of single queries, one after the other in `values`; what each is about is in the header. */
export const localCodec: ModelCodec<LocalModel> = {
  write: ({ total, tables, answers }) => {
    const lists = [...tables.map(({ counts }) => counts), ...answers.map(({ values }) => values)];
    const values = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const list of lists) {
      values.set(list, at);
      at += list.length;
    }
    return {
      meta: {
        total,
        tables: tables.map(({ attributes }) => [...attributes]),
        queries: answers.map(({ query }) => query),
      },
      arrays: { values },
    };
  },
  read: (container, domain, name) => {
    const parsed = v.safeParse(meta, container.meta);
    const { values } = container.arrays;
    if (!parsed.success || !(values instanceof Float64Array) || Object.keys(container.arrays).length !== 1)
      throw badModel(name, 'no estimates');
    const { total, tables, queries } = parsed.output;
    let at = 0;
    const next = (length: number): Float64Array => {
      if (!(at + length <= values.length)) throw badModel(name, 'too few numbers');
      const own = values.slice(at, at + length);
      at += length;
      if (!own.every(Number.isFinite)) throw badModel(name, 'a number that is not finite');
      return own;
    };
    const known = new Set(domain.attributes.map((attribute) => attribute.name));
    const own = tables.map((attributes) => {
      if (new Set(attributes).size < attributes.length || !attributes.every((attribute) => known.has(attribute)))
        throw badModel(name, 'attributes that are not of its schema');
      return { attributes, counts: next(cellsOf(domain, attributes)) };
    });
    const answers = queries.map((json) => {
      const query = parseQuery(json, domain);
      return { query, values: next(answerSize(query, domain)) };
    });
    if (at !== values.length) throw badModel(name, 'too many numbers');
    return localModel(domain, total, own, answers);
  },
};
