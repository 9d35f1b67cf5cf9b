import type { Domain } from './domain.js';

// OWASP, CSV Injection: =, +, -, @, tab, carriage return and line feed, and the wide forms of the first four.
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * A text as it may stand in a CSV file that people open in a spreadsheet: one that would be taken for a formula there gets an apostrophe in
 * front. For texts only: -5 is a number and stays one.
 */
export const spreadsheetText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** Whether rows of a domain may hold a text, or have a column name, that a spreadsheet would take for a formula. */
export const hasFormulaTexts = ({ attributes }: Domain): boolean =>
  attributes.some(({ name, spec }) => {
    const labels = spec.type === 'category' ? [...spec.values, ...(spec.other === undefined ? [] : [spec.other])] : [];
    return [name, ...labels].some((text) => formula.test(text));
  });
