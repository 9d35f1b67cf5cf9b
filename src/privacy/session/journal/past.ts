import { InputError } from '../../../domain/input-error.js';
import type { Charge } from '../../accounting/charge.js';
import { chargeToJson } from '../../ledger/record/charge-json.js';
import type { InGroup, JournalEntry } from './journal.js';

/** An act of an interrupted run. */
export interface PastAct {
  readonly what: string;
  readonly charges: readonly Charge[];
  readonly at: number | InGroup;
  /** What came of it; undefined where that was lost: noise may have been drawn, and nobody has seen it. */
  readonly values: readonly Float64Array[] | undefined;
}

/** A partition of an interrupted run. */
export interface PastPartition {
  readonly what: string;
  readonly most: string;
  readonly at: number;
}

/** What an interrupted run did, sorted by place. */
export interface PastRun {
  /** Of the session itself, in order. */
  readonly acts: readonly (PastAct | PastPartition)[];
  groupActs(place: InGroup): readonly PastAct[];
  /** By reservation: for acts without a group, and partitions. */
  find(reservation: number): PastAct | PastPartition | undefined;
  /** Words of seeded noise drawn. */
  readonly drawn: number;
}

const keyOf = (at: number | InGroup): string => (typeof at === 'number' ? `${at}` : `${at.partition}/${at.group}`);

export const pastRun = (entries: readonly JournalEntry[]): PastRun => {
  const places = new Map<string, (PastAct | PastPartition)[]>();
  const session: (PastAct | PastPartition)[] = [];
  let drawn = 0;
  for (const entry of entries) {
    const own = places.get(keyOf(entry.at)) ?? [];
    places.set(keyOf(entry.at), own);
    if (entry.kind === 'done') {
      const begun = own.pop();
      if (begun === undefined || !('values' in begun) || begun.values !== undefined)
        throw new InputError('journal: must be as surmise wrote it, got an end without its beginning; discard it');
      const done = { ...begun, values: entry.values };
      own.push(done);
      if (typeof entry.at === 'number') session[session.indexOf(begun)] = done;
      drawn = Math.max(drawn, entry.drawn ?? 0);
      continue;
    }
    const { kind, ...rest } = entry;
    const begun = kind === 'begin' ? { ...rest, values: undefined } : rest;
    own.push(begun as PastAct | PastPartition);
    if (typeof entry.at === 'number') session.push(begun as PastAct | PastPartition);
  }
  return {
    acts: session,
    groupActs: (place) => (places.get(keyOf(place)) ?? []) as PastAct[],
    find: (reservation) => places.get(`${reservation}`)?.[0],
    drawn,
  };
};

const textOf = (charges: readonly Charge[]): string => JSON.stringify(charges.map(chargeToJson));

export const isPartition = (act: PastAct | PastPartition): act is PastPartition => 'most' in act;

/** Who hears of past acts when their turn comes again. */
export interface Replayed {
  /** It is had again: charged as it was. */
  again(act: PastAct): void;
  /** It was charged, and nothing came of it. */
  lost(act: PastAct): void;
}

/** The past acts of one place, had again one by one. */
export interface Replay {
  /** The next past act, which must be this one; undefined when all are had again. */
  take(what: string, charges: readonly Charge[]): PastAct | undefined;
  takePartition(what: string, most: string): PastPartition | undefined;
}

const changed = (asked: string, found: string): InputError =>
  new InputError(
    `journal: the release must do again what it did before it was interrupted, got "${asked}" where "${found}" was; go on with the same command and version, or discard it`,
  );

/**
 * Goes through past acts. A lost one is met as soon as those before it are had again, before anything is planned that follows it: what is
 * left is then divided as the whole was.
 */
export const replay = (acts: readonly (PastAct | PastPartition)[], { again, lost }: Replayed): Replay => {
  let next = 0;
  const passLost = (): void => {
    for (let act = acts[next]; act !== undefined && !isPartition(act) && act.values === undefined; act = acts[++next])
      lost(act);
  };
  passLost();
  return {
    take(what, charges) {
      const act = acts[next];
      if (act === undefined) return undefined;
      if (isPartition(act) || act.what !== what || textOf(act.charges) !== textOf(charges))
        throw changed(what, act.what);
      next++;
      again(act);
      passLost();
      return act;
    },
    takePartition(what, most) {
      const act = acts[next];
      if (act === undefined) return undefined;
      if (!isPartition(act) || act.what !== what || act.most !== most) throw changed(what, act.what);
      next++;
      passLost();
      return act;
    },
  };
};
