import { text } from 'node:stream/consumers';
import { readAnswerable } from '../../adapters/read-answerable.js';
import { InputError } from '../../src/domain/input-error.js';
import { command } from '../command.js';

export default command({
  name: 'query',
  summary: 'ask a release by SQL, at no cost in privacy',
  help: `usage: surmise query DIR ["SELECT ..."] [options]

Answers SQL from the model of a release, by inference: nothing private is read, nothing is spent, and no rows are
drawn. With each number comes a 95% bound where one is known. Without a statement it opens a prompt; in a pipe it reads
statements from standard input, separated by semicolons.

  SELECT   attributes of GROUP BY; COUNT(*), COUNT(x), SUM(x), AVG(x) of numbers and booleans; SHARE() and PERCENT(), of
           the selected records of a group among all records; numbers and + - * / of these; (SELECT COUNT(*) FROM data ...)
  FROM     data
  WHERE    =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL on attributes with values, joined by AND, OR, NOT
  and      GROUP BY, HAVING, ORDER BY, LIMIT, OFFSET

A bin counts as a whole, and stands for its midpoint in sums and averages. Names with spaces go in "double quotes", texts
and dates in 'single quotes'.

      --within-bins  where a condition ends within a bin, take the bin's values for evenly spread instead of refusing
      --json         print the answers as JSON
      --csv          print the answers as CSV, each number with low and high
      --spreadsheet  with --csv: an apostrophe before texts that a spreadsheet would take for a formula (=, +, -, @)
      --verbose      say where an unexpected error came from
  -h, --help         this text

example: surmise query released "SELECT sex, COUNT(*) FROM data WHERE age BETWEEN 30 AND 39 GROUP BY sex"`,
  options: {
    'within-bins': { type: 'boolean' },
    json: { type: 'boolean' },
    csv: { type: 'boolean' },
    spreadsheet: { type: 'boolean' },
  },
  operands: ['DIR', '[SQL]'],
  run: async ({ values, positionals: [directory, given] }, io) => {
    if (values.json && values.csv)
      throw new InputError('option --csv: must stand without --json, got both; leave one of them out');
    if (values.spreadsheet && !values.csv)
      throw new InputError('option --spreadsheet: is for CSV, got it without --csv; add --csv or leave it out');
    const bundle = await readAnswerable(directory);
    const options = { withinBins: values['within-bins'] ?? false };
    const [{ answerSql }, { answerCsv, answersJson, answerText }] = await Promise.all([
      import('../../src/evaluate/sql/answer-sql.js'),
      import('../text/answer-text.js'),
    ]);
    if (given === undefined && process.stdin.isTTY && io.isTerminal) {
      const { queryPrompt } = await import('../terminal/query-prompt.js');
      await queryPrompt(bundle, options, io, { input: process.stdin, output: process.stdout });
      return;
    }
    const answers = answerSql(given ?? (await text(process.stdin)), bundle, options);
    if (answers.length === 0)
      throw new InputError('query: needs a statement, got none; write one after DIR, or pipe some in');
    if (values.json) io.out(answersJson(answers));
    else
      io.out(
        answers
          .map((answer) =>
            values.csv ? answerCsv(answer, { spreadsheet: values.spreadsheet ?? false }) : answerText(answer, io),
          )
          .join('\n'),
      );
  },
});
