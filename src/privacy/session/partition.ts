import { codesAt } from '../../domain/cell-index.js';
import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import type { Block } from '../../query/block/block.js';
import { factorsOf } from '../../query/factors.js';
import type { FactoredQuery, Query } from '../../query/query.js';
import { larger } from '../../query/sensitivity/larger.js';
import { type Sensitivity, sensitivity } from '../../query/sensitivity/sensitivity.js';
import type { Charge } from '../accounting/charge.js';
import type { ExactAnswers } from '../answers/exact-answers.js';
import type { Account } from './account/account.js';
import { groupAccount } from './account/group-account.js';
import type { LedgerAccount } from './account/ledger-account.js';
import { openDoor } from './door.js';
import type { DoorParts } from './door-parts.js';
import { ownKeys } from './own-input.js';
import type { Group, GroupKey, Session } from './session.js';

interface Key {
  readonly attribute: string;
  readonly block: Block;
  readonly size: number;
}

const keysOf = (by: readonly GroupKey[], domain: Domain): Key[] => {
  if (by.length === 0) throw new InputError('partition: must name at least one attribute, got none');
  return by.map((key) => {
    if (typeof key === 'string')
      return { attribute: key, block: { kind: 'keep' }, size: domain.attributes[indexOf(domain, key)].size };
    const { attribute, groups, size } = key;
    return { attribute, block: { kind: 'regroup', groups, size }, size };
  });
};

/**
 * Sensitivity of a query in one of several disjoint groups, such that the dearest group pays for all (docs/privacy.md, parallel
 * composition). Under add-remove it is that of the query. Under replace-one the new unit may fall into another group than the
 * old one: each of the two groups then sees an addition or a removal, so twice that cost must fit as well.
 */
const groupSensitivity = (query: Query, { domain, relation, unit }: DoorParts): Sensitivity => {
  const one = sensitivity(query, domain, relation, unit);
  if (relation === 'add-remove') return one;
  const moved = sensitivity(query, domain, 'add-remove', unit);
  return {
    l1: Math.max(one.l1, 2 * moved.l1),
    l2Squared: larger(one.l2Squared, 2n * moved.l2Squared),
    lInf: Math.max(one.lInf, 2 * moved.lInf),
    exact: false,
  };
};

/** A query on all groups at once: the keys' blocks first, then the attributes the query needs, kept. */
const inAllGroups = (query: Query, keys: readonly Key[]): FactoredQuery => ({
  kind: 'factored',
  factors: [
    ...keys.map(({ attribute, block }) => ({ attribute, block })),
    ...attributesOf(query).map((attribute) => ({ attribute, block: { kind: 'keep' } as const })),
  ],
});

/**
 * The exact answers of one group, cut out of the counts of all groups. Groups ask for the same marginals one after the other,
 * so counts are kept for the next group, up to `memory` bytes; whoever asks holds on to the counts that it was given, since
 * another group may ask for others meanwhile.
 */
const answersInGroups = (
  exact: ExactAnswers,
  keys: readonly Key[],
  domain: Domain,
  memory: number,
): ((group: number) => ExactAnswers) => {
  let kept = new Map<string, Float64Array>();
  let cells = 0;
  const countsOf = async (queries: readonly Query[]): Promise<Float64Array[]> => {
    if (cells * 8 > memory) {
      kept = new Map();
      cells = 0;
    }
    const counts = queries.map((query) => kept.get(nameOf(query)));
    const missing = [...queries.keys()].filter((index) => counts[index] === undefined);
    await exact.each(
      missing.map((index) => inAllGroups(queries[index], keys)),
      (answers, place) => {
        const own = answers.slice();
        counts[missing[place]] = own;
        kept.set(nameOf(queries[missing[place]]), own);
        cells += own.length;
      },
    );
    return counts as Float64Array[];
  };
  return (group) => ({
    check: (queries) => exact.check(queries.map((query) => inAllGroups(query, keys))),
    async each(queries, visit) {
      const counts = await countsOf(queries);
      for (const [index, query] of queries.entries()) {
        const size = cellsOf(domain, attributesOf(query));
        await visit(answerFrom(query, domain, counts[index].subarray(group * size, (group + 1) * size)), index);
      }
    },
  });
};

const nameOf = (query: Query): string => JSON.stringify(attributesOf(query));

/** Distinct lists of charges: groups that were charged alike are one entry, since only the dearest counts. */
const distinctCharges = (accounts: readonly Account[]): (readonly Charge[])[] => {
  const lists = new Map<string, readonly Charge[]>();
  for (const { charges } of accounts)
    if (charges.length > 0)
      lists.set(
        JSON.stringify(charges, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
        charges,
      );
  return [...lists.values()];
};

/**
 * `Session.partition`: reserves the share once and opens a door to each group that may spend all of it. The doors close with the
 * body, whichever way it ends: what a group has begun is waited for and charged, and nothing can begin afterwards.
 */
export const partitioner =
  (parts: DoorParts, account: LedgerAccount): Session['partition'] =>
  async (given, share, body) => {
    const by = ownKeys(given);
    const keys = keysOf(by, parts.domain);
    const used = new Set(keys.map(({ attribute }) => attribute));
    if (used.size < keys.length) throw new InputError('partition: an attribute may appear once, got one twice');
    // Without households: what a household is in one group is not what it is in the table, and persons of one may be in several groups.
    const domain: Domain = Object.freeze({
      attributes: Object.freeze(parts.domain.attributes.filter(({ name }) => !used.has(name))),
    });
    const sizes = keys.map(({ size }) => size);
    const groups = sizes.reduce((product, size) => product * size, 1);
    if (!(groups <= 2 ** 20)) throw new InputError(`partition: must make at most 1,048,576 groups, got ${groups}`);
    for (const { attribute, block } of keys)
      factorsOf({ kind: 'factored', factors: [{ attribute, block }] }, parts.domain);
    const most = account.amount(share);
    const accounts = Array.from({ length: groups }, () => groupAccount(account.currency, most, account));
    const answersOf = answersInGroups(parts.exact, keys, domain, parts.memory);
    const inside: DoorParts = { ...parts, domain };
    const doors = accounts.map((own, group): Group => {
      const sensitivityOf = (query: Query) => groupSensitivity(query, inside);
      const door = openDoor({ ...inside, account: own, exact: answersOf(group), sensitivityOf });
      return Object.freeze({
        ...door,
        key: Object.freeze(codesAt(group, sizes)),
        get remaining() {
          return door.remaining;
        },
      });
    });
    const names = by.map((key) => (typeof key === 'string' ? key : `groups of ${key.attribute}`)).join(' x ');
    return account.share({
      what: `partition by ${names}`,
      most,
      due: () => {
        const lists = distinctCharges(accounts);
        return lists.length === 0 ? [] : [{ kind: 'parallel', groups: lists }];
      },
      work: (journalOf) => {
        accounts.forEach((own, group) => {
          const journal = journalOf(group);
          if (journal !== undefined) own.keep(journal);
        });
        return body(doors);
      },
      close: async () => {
        await Promise.all(accounts.map((own) => own.close()));
      },
    });
  };
