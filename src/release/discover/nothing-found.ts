import { InputError } from '../../domain/input-error.js';

/** A discovery came to its end without a column to release: going on with it would come to the same, so what it has not spent is free again. */
export class NothingFound extends InputError {
  override readonly name: string = 'NothingFound';

  constructor() {
    super(
      'schema: must have a column that could be told to make a release, got none; what was asked stays spent, the rest of the budget is free again: declare columns, or give the discovery a larger share',
    );
  }
}
