import { refuseIn } from '../sql-error.js';
import type { Meaning } from './meaning.js';
import { readExpression, readValue } from './read-expression.js';
import { readOperand } from './read-operand.js';
import { readSelect } from './read-select.js';
import { cursorAt, type Reader } from './reader.js';
import { tokensOf } from './token.js';
import type { Tree } from './tree.js';

/** A condition alone, such as stands after WHERE, as the grammar reads it; `meaning` gives its parts a meaning. It must not ask anything of a table. */
export const readCondition = (
  text: string,
  names: readonly string[],
): { readonly tree: Tree; readonly meaning: Meaning } => {
  const refuse = refuseIn(text);
  const tokens = tokensOf(text, refuse);
  const reader: Reader = {
    ...cursorAt(text, tokens, names, refuse),
    isTwoLevel: false,
    expression: (isColumn) => readExpression(reader, isColumn),
    value: () => readValue(reader),
    operand: () => readOperand(reader),
    query: () => readSelect(reader),
  };
  if (reader.peek() === undefined)
    throw refuse(0, 'must be a condition, got nothing', "for example age < 15 AND sex = 'f'");
  const tree = readValue(reader);
  if (reader.peek() !== undefined) reader.fail();
  const none = (): never => {
    throw refuse(0, 'must be a condition on one record, got a SELECT within it', 'compare columns and values only');
  };
  return { tree, meaning: { text, tokens, refuse, names, isTwoLevel: false, select: none, condition: none } };
};
