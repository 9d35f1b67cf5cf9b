import { limits } from '../../domain/limits.js';
import type { Refuse } from './sql-error.js';
import type { Token } from './token.js';

/** CASE, UNION and [ have no place in a question to a model; the parser takes seconds to complain of a few hundred of them. */
const mostUnanswerable = 20;

/**
 * Refuses a text in which parentheses, NOTs, signs before numbers and BETWEENs without their AND lie too deeply within one another: the parser's complaint about an error behind them
 * takes time that grows with the third power of their number.
 */
export const checkDepth = (tokens: readonly Token[], refuse: Refuse): void => {
  /** NOTs and signs that wait for what they stand before, at each level of parentheses. */
  const waiting = [0];
  let [depth, betweens, unanswerable] = [0, 0, 0];
  tokens.forEach(({ kind, value, at }, i) => {
    const word = kind === 'word' ? value.toUpperCase() : value;
    const isSign = kind === 'sign' && (value === '-' || value === '+');
    const isFirst = i > 0 && tokens[i - 1].kind === 'sign' && tokens[i - 1].value !== ')';
    const level = waiting.length - 1;
    if (kind === 'sign' && value === '(') {
      waiting.push(0);
      depth++;
    } else if (kind === 'sign' && value === ')') {
      if (level > 0) depth -= 1 + waiting.pop()!;
      // What stood before the parenthesis has it now.
      depth -= waiting[waiting.length - 1];
      waiting[waiting.length - 1] = 0;
    } else if ((kind === 'word' && word === 'NOT') || (isSign && isFirst)) {
      waiting[level]++;
      depth++;
    } else if (!(kind === 'sign')) {
      depth -= waiting[level];
      waiting[level] = 0;
    }
    if (kind === 'word' && word === 'BETWEEN') betweens++;
    if (kind === 'word' && word === 'AND') betweens = Math.max(0, betweens - 1);
    if (depth + betweens > limits.sqlDepth)
      throw refuse(
        at,
        `parentheses, NOTs, signs and BETWEENs must lie within one another at most ${limits.sqlDepth} deep, got more`,
        'write it flatter',
      );
    if ((kind === 'word' && /^(CASE|UNION)$/.test(word)) || (kind === 'sign' && value === '[')) unanswerable++;
    if (unanswerable > mostUnanswerable)
      throw refuse(
        at,
        'must have no CASE, UNION or [, got many',
        'conditions are =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL, joined by AND, OR, NOT',
      );
  });
};
