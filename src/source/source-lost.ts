import { InputError } from '../domain/input-error.js';

/**
 * The rows are out of reach: the connection to them was lost, and with it the state that all counts are of. Nothing was counted, so an act that ends with it and has a journal is given back
 * and done anew by whoever goes on, as one that was cancelled is.
 */
export class SourceLost extends InputError {}
