import type { Domain } from '../../domain/domain.js';
import type { Running } from '../../domain/running.js';
import type { Query } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import type { Sensitivity } from '../../query/sensitivity/sensitivity.js';
import type { Unit } from '../../query/unit.js';
import type { ScoreScratch } from '../answers/candidate-scores.js';
import type { ExactAnswers } from '../answers/exact-answers.js';
import type { Primitives } from '../primitives.js';
import type { Account } from './account/account.js';

/** What stands behind a door; none of it can be reached through the door. */
export interface DoorParts {
  readonly domain: Domain;
  readonly relation: Relation;
  readonly unit: Unit;
  readonly account: Account;
  readonly exact: ExactAnswers;
  readonly primitives: Primitives;
  readonly sensitivityOf: (query: Query) => Sensitivity;
  /** Bytes of exact counts held at once. */
  readonly memory: number;
  readonly running: Running;
  /** What selections leave for later ones; where undefined each starts anew. One takes what is there, so that none shares it. */
  readonly scratches?: ScoreScratch[] | undefined;
}
