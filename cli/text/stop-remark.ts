import { stoppedBy } from '../../src/advanced.js';
import type { Outside, Schema } from '../../src/index.js';

/** Names shown; the others are counted. */
const most = 12;

/**
 * What a person should know before a private table is opened: on which attributes a single value that the schema does not name would stop
 * the run, so that whether there is a release depends on one row. Empty when none would. Follows from the schema and the rule alone.
 */
export const stopRemark = (schema: Schema, outside: Outside): string => {
  const names = stoppedBy(schema, outside);
  if (names.length === 0) return '';
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  const shown = `${names.slice(0, most).join(', ')}${rest}`;
  const why =
    outside === 'stop'
      ? 'a single value that the schema does not name will stop this run (--outside stop)'
      : 'a single value that the schema has no place for, such as an empty one, would stop this run';
  return `note: ${why}, in ${shown}; whether there is a release would then depend on one row. To go on in any case: --outside other (one more cell for such values) or --outside clip (the first cell), or "null": true for these attributes in the schema.\n`;
};
