import { refuseIn } from '../sql-error.js';
import type { Statement } from '../statement.js';
import { readExpression, readValue } from './read-expression.js';
import { readOperand } from './read-operand.js';
import { readSelect } from './read-select.js';
import { cursorAt, type Reader } from './reader.js';
import { statementFrom } from './statement-from.js';
import { tokensOf } from './token.js';
import type { SelectTree } from './tree.js';

/**
 * The statements of a text; their places refer to the whole text. Anything that no model could answer is an `InputError`. `names`, those
 * of the attributes, serve hints, and tell keys from attributes where there are households and persons (`isTwoLevel`). The whole text is read before any of it is given a meaning.
 */
export const parseStatements = (text: string, names: readonly string[], isTwoLevel = false): Statement[] => {
  const refuse = refuseIn(text);
  const tokens = tokensOf(text, refuse);
  const reader: Reader = {
    ...cursorAt(text, tokens, names, refuse),
    isTwoLevel,
    expression: (isColumn) => readExpression(reader, isColumn),
    value: () => readValue(reader),
    operand: () => readOperand(reader),
    query: () => readSelect(reader),
  };
  const trees: SelectTree[] = [];
  for (;;) {
    while (reader.accept(';'));
    if (reader.peek() === undefined) break;
    trees.push(readSelect(reader));
    if (reader.peek() !== undefined && !reader.is(';')) reader.fail();
  }
  return trees.map((tree) => statementFrom(tree, { text, tokens, refuse, names, isTwoLevel }));
};
