import { text } from 'node:stream/consumers';
import { answerSql, InputError } from '../../src/index.js';
import { command } from '../command.js';
import { answerCsv, answersJson, answerText, boundsNote, boundsOf } from '../text/answer-text.js';

export default command({
  name: 'query',
  usage: ['DIR ["SELECT ..."] [options]'],
  about: `Answers SQL from the model of a release, by inference: nothing private is read, nothing is spent, and no rows are
drawn. With each number comes a 95% bound where one is known. Without a statement it opens a prompt; in a pipe it reads
statements from standard input, separated by semicolons.

  SELECT   attributes of GROUP BY; COUNT(*), COUNT(x), SUM(x), AVG(x), STDDEV(x), VARIANCE(x), CORR(x, y) of numbers and
           booleans; MEDIAN(x), QUANTILE(x, 0.9), PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x), MIN(x), MAX(x) of
           numbers and dates; SHARE() and PERCENT(), of the selected records of a group among all records; each with
           FILTER (WHERE ...), and of CASE WHEN ... THEN ... END; + - * / of these; (SELECT COUNT(*) FROM data ...)
  FROM     data; of a release of households: persons, households, or both joined on their key
  WHERE    =, <>, <, <=, >, >=, BETWEEN, IN, LIKE, IS NULL on attributes with values, joined by AND, OR, NOT
           of households also EXISTS (SELECT 1 FROM persons WHERE ...), key IN (SELECT key FROM persons ... GROUP BY key
           HAVING COUNT(*) >= 2), and NOT of these
  and      GROUP BY attributes or a CASE, HAVING, ORDER BY, LIMIT, OFFSET

A bin counts as a whole, and stands for its midpoint in sums and averages. MIN and MAX are the first and last value where
the model expects anybody: no release tells the extremes of single records. Notes stand below an answer. Names with
spaces go in "double quotes", texts and dates in 'single quotes'.`,
  examples: [
    `surmise query released "SELECT city, MEDIAN(age) FROM data WHERE city LIKE 'B%' GROUP BY city"`,
    'surmise query released "SELECT sex, COUNT(*) FROM data WHERE age BETWEEN 30 AND 39 GROUP BY sex"',
    'surmise query homes "SELECT region, COUNT(*) FROM households WHERE EXISTS (SELECT 1 FROM persons WHERE age < 18) GROUP BY region"',
  ],
  run: async ({ values, operands }, io) => {
    const [directory, given] = operands as readonly [string, string | undefined];
    if (values.json && values.csv)
      throw new InputError('option --csv: must stand without --json, got both; leave one of them out');
    if (values.spreadsheet && !values.csv)
      throw new InputError('option --spreadsheet: is for CSV, got it without --csv; add --csv or leave it out');
    const { readAnswerable } = await import('../../adapters/index.js');
    const bundle = await readAnswerable(directory);
    const options = { withinBins: values['within-bins'] };
    if (given === undefined && process.stdin.isTTY && io.isTerminal) {
      const { queryPrompt } = await import('../terminal/query-prompt.js');
      await queryPrompt(bundle, options, io, { input: process.stdin, output: process.stdout });
      return;
    }
    const answers = answerSql(given ?? (await text(process.stdin)), bundle, options);
    if (answers.length === 0)
      throw new InputError('query: needs a statement, got none; write one after DIR, or pipe some in');
    if (values.json) io.out(answersJson(answers, boundsOf(bundle)));
    else {
      // CSV has no place for them.
      if (values.csv)
        for (const remark of new Set(answers.flatMap(({ remarks }) => remarks))) io.err(`Note: ${remark}.\n`);
      io.out(
        answers
          .map((answer) =>
            values.csv ? answerCsv(answer, { spreadsheet: values.spreadsheet }) : answerText(answer, io),
          )
          .join('\n'),
      );
      if (!values.csv) io.out(boundsNote(answers, boundsOf(bundle), io));
    }
  },
});
