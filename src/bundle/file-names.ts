/** The file of a release that says what was done. */
export const manifestName = 'bundle.json';
export const modelName = 'model.bin';
export const measurementsName = 'measurements.bin';
/** Only where the release was told to make replicates. */
export const replicatesName = 'replicates.bin';
