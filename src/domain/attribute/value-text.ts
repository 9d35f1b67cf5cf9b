/**
 * The text by which a raw value is compared: a text itself, numbers, bigints and booleans in their usual spelling, a `Date`
 * in ISO form; '' for what is empty (null, undefined, NaN, an invalid `Date`). Undefined for anything nested.
 */
export const valueText = (value: unknown): string | undefined => {
  switch (typeof value) {
    case 'string':
      return value;
    case 'undefined':
      return '';
    case 'number':
      return Number.isNaN(value) ? '' : String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null) return '';
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
      return undefined;
  }
};
