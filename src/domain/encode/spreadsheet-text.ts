import type { AttributeSpec } from '../attribute/attribute.js';
import { kindOf } from '../attribute/kinds/kinds.js';
import type { Domain } from '../domain.js';

// OWASP, CSV Injection: =, +, -, @, tab, carriage return and line feed, and the wide forms of the first four.
const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * A text as it may stand in a CSV file that people open in a spreadsheet: one that would be taken for a formula there gets an apostrophe in
 * front. For texts only: -5 is a number and stays one.
 */
export const spreadsheetText = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** The texts that a column may hold, as they are declared. */
const textsOf = (spec: AttributeSpec): string[] => {
  const texts: string[] = [];
  kindOf(spec).mapTexts(spec, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
};

/** Whether rows of a domain may hold a text, or have a column name, that a spreadsheet would take for a formula. */
export const hasFormulaTexts = ({ attributes }: Domain): boolean =>
  attributes.some(({ name, spec }) => [name, ...textsOf(spec)].some((text) => formula.test(text)));

/**
 * The domain by which rows that were written for a spreadsheet are read again: the same cells, their names as written. Undefined where
 * two names were written alike, so that the rows cannot be told apart.
 */
export const spreadsheetDomain = (domain: Domain): Domain | undefined => {
  const specs = domain.attributes.map(({ spec }) => ({
    ...kindOf(spec).mapTexts(spec, spreadsheetText),
    name: spreadsheetText(spec.name),
  }));
  const apart = [specs.map(({ name }) => name), ...specs.map(textsOf)].every(
    (texts) => new Set(texts).size === texts.length,
  );
  if (!apart) return undefined;
  const attributes = domain.attributes.map((attribute, i) => ({ ...attribute, name: specs[i].name, spec: specs[i] }));
  const { households } = domain;
  return households === undefined
    ? { attributes }
    : {
        attributes,
        households: {
          ...households,
          attributes: households.attributes.map(spreadsheetText),
          size: households.size && spreadsheetText(households.size),
        },
      };
};
