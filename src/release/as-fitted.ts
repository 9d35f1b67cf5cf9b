import type { GraphicalEstimate, GraphicalOptions } from '../estimate/graphical/estimate.js';

/** What a release tells of a fit. */
export const toldOfFit = ({ chosen, sharing }: GraphicalEstimate): Readonly<Record<string, unknown>> => ({
  ...chosen,
  ...(sharing === undefined || sharing.size === 0 ? {} : { sharedWithNeighbours: [...sharing.keys()] }),
});

/** How replicates of a fit are made: where it was stopped by validation they go on until they are as close to their answers, by the same steps. */
export const asFitted = (
  { chosen, sharing }: GraphicalEstimate,
  until: NonNullable<GraphicalOptions['until']>,
): Pick<GraphicalOptions, 'until' | 'sharing'> => ({
  until: until === 'validated' ? { chi: chosen.chi } : until,
  sharing,
});
