/** What the files of a bundle are called, beside the synthetic rows and the report. */
export const manifestName = 'bundle.json';
export const modelName = 'model.bin';
export const measurementsName = 'measurements.bin';
/** Only where the release was told to make replicates. */
export const replicatesName = 'replicates.bin';
