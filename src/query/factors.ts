import { attributeNamed, type Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { listed } from '../domain/listed.js';
import type { Block } from './block/block.js';
import { blockKinds, kindOf } from './block/block-kinds.js';
import { notRows } from './holding.js';
import type { Query } from './query.js';

/**
 * One factor of a query on a domain: its block, the columns and rows of the block's matrix. The columns are the cells of one attribute,
 * or of the marginal of several: a query that is no product is one such factor.
 */
export interface Factor {
  readonly attributes: readonly string[];
  readonly block: Block;
  readonly size: number;
  readonly rows: number;
}

const keep: Block = { kind: 'keep' };

type Part = Pick<Factor, 'attributes' | 'block'>;

const partsOf = (query: Query): readonly Part[] => {
  if (query.kind === 'holding') throw notRows(query);
  if (query.kind === 'marginal') return query.attributes.map((attribute) => ({ attributes: [attribute], block: keep }));
  if (query.kind === 'dense') return [{ attributes: query.attributes, block: { kind: 'matrix', rows: query.rows } }];
  return query.factors.map(({ attribute, block }) => ({ attributes: [attribute], block }));
};

/** The factors of a linear query in order, checked against the domain: the one place where one is found good or bad. */
export const factorsOf = (query: Query, domain: Domain): Factor[] => {
  const seen = new Set<string>();
  const sizeOf = (attribute: string): number => {
    const declared = attributeNamed(domain, attribute);
    if (declared === undefined) {
      const known = listed(domain.attributes.map(({ name }) => name));
      throw new InputError(`query: its attributes must be among ${known}, got ${JSON.stringify(attribute)}`);
    }
    if (seen.has(attribute))
      throw new InputError(`query: an attribute may appear once, got ${JSON.stringify(attribute)} twice`);
    seen.add(attribute);
    return declared.size;
  };
  return partsOf(query).map(({ attributes, block }) => {
    const size = attributes.reduce((cells, attribute) => cells * sizeOf(attribute), 1);
    const refuse = (rule: string, got: unknown): never => {
      const names = attributes.map((attribute) => JSON.stringify(attribute)).join(', ');
      throw new InputError(`query block of ${names}: ${rule}, got ${JSON.stringify(got).slice(0, 200)}`);
    };
    if (!Object.hasOwn(blockKinds, block.kind)) refuse('the kind of block is not known', block.kind);
    const kind = kindOf(block);
    kind.check(block, size, refuse);
    return { attributes, block, size, rows: kind.rows(block, size) };
  });
};

/** The product of `values` with the factors' matrices, one axis after the other, or with their transposes; a new array. */
export const multiplyFactors = (
  factors: readonly Factor[],
  values: Float64Array,
  method: 'apply' | 'transpose',
): Float64Array => {
  const [before, after] = method === 'apply' ? (['size', 'rows'] as const) : (['rows', 'size'] as const);
  let result = values;
  let [outer, inner] = [1, values.length];
  for (const factor of factors) {
    inner /= factor[before];
    result = kindOf(factor.block)[method](factor.block, factor.size, result, outer, inner);
    outer *= factor[after];
  }
  return result === values ? values.slice() : result;
};

/** The factors whose attributes the query needs: one that is summed out changes no answer. */
export const neededFactors = (query: Query, domain: Domain): Factor[] =>
  factorsOf(query, domain).filter(({ block }) => block.kind !== 'sum');
