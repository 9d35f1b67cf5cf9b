import type { Refuse } from './sql-error.js';
import type { Token } from './token.js';

/** Words with which a question within another begins, for the parser. */
const begins = /^(SELECT|VALUES|WITH|TABLE)$/;

/**
 * Refuses a list beside or within a SELECT in parentheses. The parser takes each comma in `(SELECT 1, 2, 3)` for the SELECT's own or for one of a list around
 * it, and makes a tree for every way: a thousand of them take gigabytes, and a few within one another more. No such SELECT gives one number.
 */
export const checkSelects = (tokens: readonly Token[], refuse: Refuse): void => {
  const levels = [{ isSelect: false, isList: false }];
  const several = (at: number) =>
    refuse(at, 'a SELECT within another must give one number', 'for example (SELECT COUNT(*) FROM data)');
  tokens.forEach(({ kind, value, at }, i) => {
    const inner = levels.length > 1;
    const level = levels[levels.length - 1];
    if (kind === 'word' && begins.test(value.toUpperCase())) {
      const before = tokens[i - 1];
      if (inner ? level.isList : before?.value === ',' || before?.value.toUpperCase() === 'BY') throw several(at);
      level.isSelect = true;
    }
    if (kind !== 'sign') return;
    if (value === '(' || value === '[') levels.push({ isSelect: false, isList: false });
    else if (value === ')' || value === ']') {
      if (inner) levels.pop();
    } else if (value === ',' && inner) {
      if (level.isSelect) throw several(at);
      level.isList = true;
    }
  });
};
