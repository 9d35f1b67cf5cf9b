/** Estimates between rounds end when they have gone over so many cells of the junction tree, a second's work, but not before so many iterations. */
export const roundCells = 4e8;
export const fewestIterations = 50;
/** Where the tree has more cells than this, one probe watches the last estimate: there are then answers enough to average over. */
export const manyCells = 2e6;
