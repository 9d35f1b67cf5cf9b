import type { Domain } from '../../domain/domain.js';

/** Part of a round's budget that measures; the rest selects. */
export const measuringPart = 0.9;

/**
 * Number of rounds T that AIM's budget is first divided for. The paper has 16 for each attribute, which leaves the one-way
 * marginals a sixteenth of the budget; with 4 they have a quarter, and errors are smaller (docs/aim.md).
 */
export const defaultRounds = ({ attributes }: Domain): number => 4 * attributes.length;
