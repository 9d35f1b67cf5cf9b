import { marginal } from '../../query/marginal.js';
import { drawing } from './acts/draw.js';
import { measuring } from './acts/measure.js';
import { measuringErrors } from './acts/measure-error.js';
import { selecting } from './acts/select.js';
import { selectingDependences } from './acts/select-dependence.js';
import type { DoorParts } from './door-parts.js';
import type { Door } from './session.js';

/** The acts of a session or a group, each paid for before anything is read. */
export const openDoor = (parts: DoorParts): Door => {
  const { domain, relation, unit, account } = parts;
  const { measure, preview } = measuring(parts);
  return {
    domain,
    relation,
    unit,
    get remaining() {
      return account.remainingShare();
    },
    total: async (share) => (await measure([marginal()], share))[0],
    measure,
    preview,
    ...selecting(parts),
    ...selectingDependences(parts),
    ...drawing(parts),
    ...measuringErrors(parts),
  };
};
