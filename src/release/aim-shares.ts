import type { Domain } from '../domain/domain.js';

/** Part of a round's budget that measures; the rest selects. */
export const measuringPart = 0.9;

/** Number of rounds T that AIM's budget is first divided for. */
export const defaultRounds = ({ attributes }: Domain): number => 16 * attributes.length;
