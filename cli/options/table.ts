import { mostPairCells, outsideRules, publicsWays } from '../../src/advanced.js';
import { type CommandName, commandNames } from './command-table.js';
import { amount, duration, file, flag, folder, list, share, size, text, weight, whole, words } from './kinds.js';
import { estimatorKind, mechanismKind, mechanismsKind, settingKind } from './mechanism-kinds.js';
import type { Option, ValuesOf } from './option.js';
import { workloadKind } from './workload.js';
import { decimalKind, delimiterKind, encodingKind, thousandsKind } from './written.js';

/** Those that open a private table. */
const opening = ['release', 'check-public'] as const;
/** Those that state a budget. */
const stating = ['budget', 'ledger'] as const;

/** Seeds of what no privacy depends on. */
const seed = whole(0, 2 ** 52 - 1);
const relation = words('R', ['add-remove', 'replace-one']);
const twoForms = 'write a page (.html) or a picture (.svg) as well';

/**
 * Every option of the command line, once: help texts, reading and checking, the configuration file and completion are made of this
 * table, in this order. An option joins by one entry.
 */
const optionTable = [
  // Where results go.
  {
    name: 'out',
    short: 'o',
    kind: folder,
    commands: ['release'],
    key: 'out',
    help: 'the directory to make; it appears whole or not at all',
  },
  {
    name: 'out',
    short: 'o',
    kind: folder,
    commands: ['estimate', 'refit'],
    required: 'must name the directory to make, got none; add -o DIR',
    help: 'the directory to make; it appears whole or not at all',
  },
  {
    name: 'out',
    short: 'o',
    kind: folder,
    commands: ['demo'],
    help: 'make the tables in DIR, which must not exist yet (a new folder surmise-demo here)',
  },
  {
    name: 'out',
    short: 'o',
    kind: file,
    commands: ['schema'],
    help: 'write the schema here, whole or not at all; without it the schema is shown only',
  },
  {
    name: 'out',
    short: 'o',
    kind: file,
    commands: ['sample'],
    required: 'must name the file to write, got none; add -o FILE, ending in .csv, .tsv or .parquet',
    help: 'the file to write, .csv, .tsv or .parquet; it appears whole or not at all',
  },
  { name: 'out', short: 'o', kind: file, commands: ['report'], help: 'where to write it (DIR-report.html beside DIR)' },
  { name: 'out', short: 'o', kind: file, commands: ['evaluate', 'compare'], help: twoForms },

  // Tables and schemas.
  {
    name: 'public',
    kind: file,
    many: true,
    commands: ['release'],
    key: 'public',
    help: 'a public table with the same columns',
  },
  {
    name: 'publics',
    kind: words('WAY', publicsWays),
    commands: ['release'],
    key: 'publics',
    help: 'what becomes of several: together (all of their rows), stand-in (the one with which the mechanism errs least on --stand-in), or paid (the one whose rows can be weighted best, for --share of the budget) (together; with --stand-in: stand-in)',
  },
  {
    name: 'public-weight',
    kind: weight,
    many: true,
    commands: ['release'],
    key: 'publicWeights',
    help: 'what a public table counts for when several serve together: one for each, in their order (the same for all)',
  },
  {
    name: 'stand-in',
    kind: file,
    value: 'TABLE',
    commands: ['release'],
    key: 'standIn',
    help: 'a public table that plays the private one, such as an earlier year of it, for choosing among several public tables',
  },
  {
    name: 'share',
    kind: share,
    commands: ['release'],
    key: 'share',
    help: 'with --publics paid: the part of the budget that choosing spends (0.1)',
  },
  {
    name: 'public',
    kind: file,
    commands: ['compare'],
    help: 'a public table, for the mechanisms that use one',
  },
  {
    name: 'public',
    kind: file,
    value: 'TABLE',
    commands: ['report'],
    help: "the public table, with the release's columns",
  },
  {
    name: 'public',
    kind: file,
    many: true,
    commands: ['refit'],
    help: "a public table with the release's columns: for estimators that need one, for values within cells, and beside the release in the report",
  },
  {
    name: 'public',
    kind: file,
    many: true,
    commands: ['check-public'],
    required: 'must name a public table to judge, got none',
    help: 'a public table to judge',
  },
  {
    name: 'against',
    kind: file,
    value: 'TABLE',
    commands: ['check-public'],
    help: 'a public table to compare with, in place of PRIVATE',
  },
  {
    name: 'share',
    kind: share,
    commands: ['check-public'],
    otherwise: '0.1',
    help: 'the part of the budget that the check spends, over all tables; the rest is for the release',
  },
  {
    name: 'schema',
    kind: file,
    commands: opening,
    key: 'schema',
    rivals: ['exclude'],
    help: 'the schema; without it one is learned from the public table',
  },
  {
    name: 'schema',
    kind: file,
    commands: ['compare'],
    help: 'the schema; without it one is learned from --public, else from the stand-in',
  },
  {
    name: 'schema',
    kind: file,
    commands: ['evaluate'],
    help: 'read both by this schema; without it by that of a release, else by one learned from FIRST',
  },
  {
    name: 'schema',
    kind: file,
    commands: ['inspect'],
    required: 'needs a schema file, got none; make one with surmise schema',
    help: 'the schema, as surmise schema writes it',
  },
  {
    name: 'schema',
    kind: file,
    commands: ['estimate'],
    required: 'must name the schema that fixes the cells, got none; see docs/domain.md',
    help: 'the schema, which fixes the cells',
  },
  {
    name: 'discover',
    kind: flag,
    commands: ['release'],
    help: 'ask the private table, with noise and for a part of the budget, for all that no schema declares; reads its header for the names',
  },
  {
    name: 'discover-share',
    kind: share,
    commands: ['release'],
    help: 'the part of the budget for a schema that is asked for; unless told, 0.05 to 0.33, the more the fewer rows there are',
  },
  {
    name: 'delimiter',
    kind: delimiterKind,
    commands: ['release', 'schema'],
    help: 'between the fields of a private CSV file; what its header shows unless told',
  },
  {
    name: 'decimal',
    kind: decimalKind,
    commands: ['release', 'schema'],
    help: 'before the fraction of its numbers (point)',
  },
  {
    name: 'thousands',
    kind: thousandsKind,
    commands: ['release', 'schema'],
    help: 'between groups of three digits of its numbers (nothing)',
  },
  {
    name: 'encoding',
    kind: encodingKind,
    commands: ['release', 'schema'],
    help: 'how its text is encoded (utf-8)',
  },
  {
    name: 'date-format',
    kind: text('PATTERN'),
    commands: ['release', 'schema'],
    help: 'how its dates are written, such as DD.MM.YYYY, M/D/YYYY, YYYY-Www or excel',
  },
  {
    name: 'exclude',
    kind: text('COLUMN'),
    many: true,
    commands: ['release', 'check-public', 'compare', 'evaluate'],
    key: 'exclude',
    rivals: ['schema'],
    help: 'leave a column out of the learned schema, such as an id',
  },
  { name: 'exclude', kind: text('COLUMN'), many: true, commands: ['schema'], help: 'leave a column out' },
  {
    name: 'declare',
    kind: flag,
    commands: ['schema'],
    help: 'read the header of a private table and no row, and ask in the terminal what each column may hold',
  },
  {
    name: 'like',
    kind: file,
    commands: ['schema'],
    help: 'with --declare: another schema, of which columns of the same name are taken over',
  },
  {
    name: 'households',
    kind: file,
    commands: ['schema', 'inspect'],
    help: 'the table of households, whose persons are in the other one',
  },
  {
    name: 'households',
    kind: file,
    many: true,
    commands: ['evaluate'],
    help: 'the table of households, whose persons are in a table that is compared: one for each table, in their order',
  },
  {
    name: 'households',
    kind: flag,
    commands: ['demo'],
    help: 'two tables of each year, persons and their households, and a release of both',
  },
  {
    name: 'households',
    kind: file,
    commands: ['release'],
    key: 'households',
    help: 'the private table of households, whose persons are in PRIVATE: two levels are released, see docs/households.md',
  },
  {
    name: 'public-households',
    kind: file,
    commands: ['report', 'refit'],
    help: 'the public table of households, whose persons are in --public',
  },
  {
    name: 'public-households',
    kind: file,
    commands: ['release'],
    key: 'publicHouseholds',
    help: 'the public table of households, whose persons are in --public',
  },
  {
    name: 'key',
    kind: text('COLUMN'),
    commands: ['schema'],
    help: 'the column of both that says which household it is',
  },
  {
    name: 'key',
    kind: text('COLUMN'),
    commands: ['release', 'ledger'],
    key: 'key',
    help: 'the column of both that says which household it is (that of the schema)',
  },
  {
    name: 'max-size',
    kind: whole(1, 255),
    commands: ['schema'],
    otherwise: '5',
    help: 'no household has more than N persons: larger ones are left out of a release',
  },
  {
    name: 'max-size',
    kind: whole(1, 255),
    commands: ['release', 'ledger'],
    key: 'maxSize',
    help: 'no household has more than N persons (that of the schema; 5 where it is learned)',
  },
  {
    name: 'max-categories',
    kind: whole(1, 65536),
    commands: ['schema'],
    otherwise: '256',
    help: 'keep the N most frequent values of a column, the others become "other"',
  },
  {
    name: 'bins',
    kind: whole(2, 65536),
    commands: ['schema'],
    otherwise: '32',
    help: 'about N bins for numbers with many values',
  },

  // The budget, and whom it protects.
  { name: 'epsilon', kind: amount('E'), commands: opening, key: 'epsilon', help: 'the budget of this run' },
  {
    name: 'epsilon',
    kind: list(amount('E')),
    commands: ['compare'],
    otherwise: '0.1,0.3,1,3',
    help: 'epsilons with commas between them',
  },
  {
    name: 'epsilon',
    kind: amount('E'),
    commands: stating,
    help: 'as for a release: (E, D) differential privacy and Gaussian noise, or with --pure pure differential privacy and Laplace noise',
  },
  {
    name: 'delta',
    kind: amount('D'),
    commands: ['release', 'check-public', 'compare'],
    key: 'delta',
    rivals: ['pure'],
    help: '1e-9 unless told; Gaussian noise',
  },
  {
    name: 'delta',
    kind: amount('D'),
    commands: stating,
    rivals: ['pure'],
    help: '1e-9 unless told; far below 1 / (number of people)',
  },
  {
    name: 'rho',
    kind: amount('R'),
    commands: stating,
    help: 'zero-concentrated differential privacy (zCDP) instead of epsilon',
  },
  {
    name: 'pure',
    kind: flag,
    commands: stating,
    rivals: ['delta'],
    help: 'no delta: pure epsilon, Laplace noise (the same as --delta 0)',
  },
  {
    name: 'reason',
    kind: text('TEXT'),
    commands: ['ledger'],
    help: 'why the total is raised: public, and kept in the ledger for good (raise)',
  },
  {
    name: 'pure',
    kind: flag,
    commands: ['release', 'check-public', 'compare'],
    key: 'pure',
    rivals: ['delta'],
    help: 'no delta: pure epsilon, Laplace noise (the same as --delta 0)',
  },
  {
    name: 'relation',
    kind: relation,
    commands: ['release', 'check-public', 'compare', 'ledger'],
    key: 'relation',
    otherwise: 'add-remove',
    help: 'add-remove: the number of rows is private; replace-one: it is public',
  },
  {
    name: 'outside',
    kind: words('R', outsideRules),
    commands: opening,
    key: 'outside',
    otherwise: 'declared',
    help: 'values that the schema does not name: declared (to `other`, the null cell or the nearest end where the schema has one, else the run stops), other (every attribute gets a cell for them), clip (cells stay; what has no place goes to the first), or stop',
  },
  {
    name: 'to',
    kind: text('ADDRESS'),
    commands: ['release'],
    help: 'write the synthetic rows to a new table of a database as well, whole or not at all: postgres://HOST/DATABASE?table=NAME, or one of clickhouse://, trino:// or sc://',
  },
  {
    name: 'query',
    kind: file,
    commands: ['release'],
    help: 'release the rows of the SELECT in FILE, which runs in the database of PRIVATE: that table is the one whose budget is spent',
  },
  {
    name: 'unit',
    kind: words('U', ['row', 'household', 'person']),
    commands: ['release', 'ledger'],
    key: 'unit',
    help: 'protect one row, or, where there are households, a household with all its persons, or what is said of one person, households as they are (what the schema says, or row; of households: household)',
  },
  {
    name: 'unit-id',
    kind: text('COLUMN'),
    commands: ['release', 'check-public', 'ledger'],
    key: 'unitId',
    help: 'protect everything that one value of COLUMN contributes, not just a row ...',
  },
  {
    name: 'max-records',
    kind: whole(1, 1e9),
    commands: ['release', 'check-public', 'ledger'],
    key: 'maxRecords',
    help: '... and keep at most N rows of each, chosen at random',
  },
  {
    name: 'ledger',
    kind: file,
    commands: opening,
    key: 'ledger',
    help: "the private table's ledger (PRIVATE.ledger.jsonl), or postgres://host/database?ledger=NAME; made with this budget as its total, once, when there is none: make a larger one with surmise ledger init, or raise it with surmise ledger raise",
  },
  {
    name: 'ledger',
    kind: file,
    commands: ['verify'],
    help: 'the ledger of the private table: a file, or postgres://host/database?ledger=NAME',
  },
  {
    name: 'another-ledger',
    kind: flag,
    commands: opening,
    help: 'start --ledger FILE although the table has a ledger: add the budgets up yourself',
  },
  {
    name: 'dataset',
    kind: text('NAME'),
    commands: opening,
    key: 'dataset',
    help: 'a public name for the ledger and the release (a random one, which the ledger keeps)',
  },
  {
    name: 'dataset',
    kind: text('NAME'),
    commands: ['ledger'],
    help: 'a public name of the private dataset (a random one)',
  },

  // How to estimate.
  {
    name: 'mechanism',
    kind: mechanismKind,
    commands: ['release'],
    key: 'mechanism',
    rivals: ['set'],
    otherwise: 'auto',
    help: 'how, see below; auto chooses by what is public and says why',
  },
  {
    name: 'mechanisms',
    kind: mechanismsKind,
    commands: ['compare'],
    otherwise: 'all',
    help: 'names with commas between them, or all',
  },
  {
    name: 'estimator',
    kind: estimatorKind,
    commands: ['refit'],
    help: 'what fits the model anew, see below (the model stays as it is)',
  },
  {
    name: 'set',
    kind: settingKind,
    many: true,
    commands: ['refit'],
    help: 'set something of the estimator',
  },
  {
    name: 'set',
    kind: settingKind,
    many: true,
    commands: ['release', 'compare'],
    key: 'set',
    help: 'set something of the mechanism',
  },
  {
    name: 'workload',
    kind: workloadKind,
    commands: ['release', 'compare'],
    key: 'workload',
    help: `what to answer well: all-2way or all-3way (all marginals of two or three attributes, but those of more than ${mostPairCells} cells), or a file of queries with weights, see docs/queries.md (as the mechanism has it)`,
  },
  {
    name: 'until',
    kind: words('U', ['validated', 'converged']),
    commands: ['estimate'],
    otherwise: 'validated',
    help: 'validated: stop before the noise is fitted; converged: go on',
  },
  {
    name: 'iterations',
    kind: whole(1, 1e6),
    commands: ['estimate'],
    otherwise: '1000',
    help: 'steps of the fit at most',
  },
  {
    name: 'memory',
    kind: whole(1, 4000),
    value: 'MB',
    commands: ['estimate'],
    otherwise: '2000',
    help: "what the fit may hold at most; the model's own tables must fit in 512 MiB",
  },
  {
    name: 'approximate',
    kind: flag,
    commands: ['estimate'],
    help: 'when they would not fit, use an approximation, which the result says',
  },
  { name: 'runs', kind: whole(1, 1000), commands: ['compare'], otherwise: '3', help: 'runs of each, with fresh noise' },

  // Rows and bounds.
  {
    name: 'rows',
    kind: whole(1, 1e10),
    commands: ['release', 'estimate', 'refit'],
    key: 'rows',
    help: 'number of synthetic rows, or of households where there are two levels (the estimated number, which is noisy)',
  },
  {
    name: 'rows',
    kind: whole(1, 1e10),
    commands: ['sample'],
    help: 'number of rows (as many as the model expects to meet the condition)',
  },
  {
    name: 'where',
    kind: text('CONDITION'),
    commands: ['sample'],
    help: 'what all rows meet, such as "region = \'north\' AND age < 30"',
  },
  {
    name: 'given',
    kind: file,
    commands: ['sample'],
    help: 'a public table with some columns of the release: one row is made for each of its rows, with these values',
  },
  {
    name: 'spreadsheet',
    kind: flag,
    commands: ['sample'],
    help: 'for csv that people open in a spreadsheet: an apostrophe before texts and column names that it would take for a formula',
  },
  {
    name: 'rows',
    kind: whole(1, 1e9),
    commands: ['demo'],
    otherwise: '20000',
    help: 'about N persons in each table',
  },
  {
    name: 'format',
    kind: words('F', ['csv', 'parquet']),
    commands: ['release', 'estimate', 'refit'],
    key: 'format',
    otherwise: 'csv',
    help: 'csv or parquet',
  },
  {
    name: 'title',
    kind: text('TEXT'),
    commands: ['release'],
    key: 'title',
    help: 'what report.html is called, published with it (the name of the dataset)',
  },
  { name: 'title', kind: text('TEXT'), commands: ['report', 'evaluate', 'compare'], help: 'what the page is called' },
  {
    name: 'spreadsheet',
    kind: flag,
    commands: ['release', 'estimate', 'refit'],
    key: 'spreadsheet',
    help: 'for csv that people open in a spreadsheet: an apostrophe before texts and column names that it would take for a formula (=, +, -, @, tab); programs that read the rows back see it too',
  },
  {
    name: 'bootstrap',
    kind: whole(0, 1000),
    commands: ['refit'],
    help: 'replicates of the fit, for bounds of any answer; 0 for none (as many as the release has)',
  },
  {
    name: 'bootstrap',
    kind: whole(0, 1000),
    commands: ['release'],
    key: 'bootstrap',
    help: 'replicates of the fit, for bounds of any answer; 0 for none (8, or 0 where they would take long)',
  },
  {
    name: 'seed',
    kind: seed,
    commands: ['sample'],
    help: 'for drawing rows from the model, so that they can be drawn again',
  },
  {
    name: 'seed',
    kind: seed,
    commands: ['release', 'estimate', 'refit'],
    key: 'seed',
    help: 'for drawing rows from the model, so that they can be drawn again; never for noise',
  },
  { name: 'seed', kind: seed, commands: ['demo'], otherwise: '1', help: 'another country of the same kind' },
  { name: 'seed', kind: seed, commands: ['evaluate'], otherwise: '1', help: 'for drawing marginals' },
  {
    name: 'seed',
    kind: whole(0, 1e6),
    commands: ['compare'],
    otherwise: '1',
    help: 'for the noise, which protects nobody here: the same runs again',
  },

  // Rehearsing, and doing it again.
  {
    name: 'config',
    kind: file,
    commands: ['release'],
    help: 'options from a file (surmise.config.json here, if there is one), or those of an earlier release: name its directory. What is typed wins',
  },
  {
    name: 'dry-run',
    kind: flag,
    commands: ['release'],
    help: 'show what would be measured, with which noise and error, how long and how large; the private table is not opened, no ledger is touched, nothing is spent',
  },
  {
    name: 'resume',
    kind: flag,
    commands: ['release'],
    help: 'go on with the release of the same command that was interrupted: what it has paid for is used, and nothing is paid for twice',
  },
  {
    name: 'discard',
    kind: flag,
    commands: ['release'],
    help: 'give up the release that was interrupted in this place, and begin anew; what it spent stays spent',
  },
  {
    name: 'expect-rows',
    kind: whole(1, 1e12),
    commands: ['release'],
    key: 'expectRows',
    help: 'reckon with N private rows (households, where there are two levels), if you know such a number from elsewhere: for forecasts, and for errors as shares with --dry-run',
  },
  {
    name: 'time',
    kind: duration,
    commands: ['release'],
    key: 'time',
    help: 'give up what it takes to be done within this time by forecast (5m): replicates, size of the model, candidates',
  },
  {
    name: 'memory',
    kind: size,
    commands: ['release'],
    key: 'memory',
    help: 'the same for memory (2G)',
  },
  {
    name: 'threads',
    kind: whole(1, 16),
    commands: ['release'],
    key: 'threads',
    help: 'threads that work at the same time (2)',
  },
  {
    name: 'rehearse',
    kind: flag,
    commands: ['release'],
    help: "with --dry-run: try it with one half of the public table in the private one's place",
  },

  // What is compared, and what is asked.
  {
    name: 'max-cells',
    kind: whole(1, 1e8),
    commands: ['check-public'],
    otherwise: String(mostPairCells),
    help: 'leave out pairs of attributes with more cells',
  },
  {
    name: 'max-cells',
    kind: whole(1, 1e8),
    commands: ['evaluate'],
    otherwise: '100000',
    help: 'leave out marginals with more cells',
  },
  {
    name: 'marginals',
    kind: whole(1, 1e6),
    commands: ['evaluate'],
    otherwise: '1000',
    help: 'of more marginals of one kind, draw N',
  },
  {
    name: 'worst',
    kind: whole(0, 1000),
    commands: ['evaluate'],
    otherwise: '5',
    help: 'list N cells of each kind',
  },
  {
    name: 'within-bins',
    kind: flag,
    commands: ['query'],
    help: "where a condition ends within a bin, take the bin's values for evenly spread instead of refusing",
  },
  { name: 'csv', kind: flag, commands: ['query'], help: 'print the answers as CSV, each number with low and high' },
  {
    name: 'spreadsheet',
    kind: flag,
    commands: ['query'],
    help: 'with --csv: an apostrophe before texts that a spreadsheet would take for a formula (=, +, -, @)',
  },

  // The studio.
  {
    name: 'port',
    kind: whole(0, 65535),
    commands: ['studio'],
    help: 'serve it on this port of 127.0.0.1 (one that is free)',
  },
  { name: 'no-open', kind: flag, commands: ['studio'], help: 'open no browser; the address is printed' },

  // What protects nobody, and says so.
  {
    name: 'unsafe-non-private',
    kind: flag,
    commands: ['evaluate'],
    help: 'FOR THE LABORATORY: compare with a private table all the same. The output says in every form that it is not private; do not publish it',
  },
  {
    name: 'unsafe-seed',
    kind: seed,
    commands: opening,
    help: 'FOR TESTS: noise from a seed, which protects nobody; the bundle says so. Needs --ledger: a new file, or one of surmise ledger init --unsafe-seeds',
  },
  {
    name: 'unsafe-seeds',
    kind: flag,
    commands: ['ledger'],
    help: 'FOR TESTS: a ledger for noise from seeds, which protects nobody; it takes no other',
  },

  // Of every command, or nearly.
  {
    name: 'force',
    kind: flag,
    commands: ['schema', 'report', 'evaluate', 'compare'],
    help: 'replace FILE if it exists',
  },
  { name: 'json', kind: flag, commands: commandNames, help: 'print JSON' },
  { name: 'verbose', kind: flag, commands: commandNames, help: 'say where an unexpected error came from' },
  { name: 'help', short: 'h', kind: flag, commands: commandNames, help: 'this text' },
] as const satisfies readonly Option<CommandName>[];

/** What a command's options hold, read and checked. */
export type Values<C extends CommandName> = ValuesOf<(typeof optionTable)[number], C>;

/** The options of a command, in the order of the table. */
export const optionsOf = (command: string): readonly Option[] =>
  (optionTable as readonly Option[]).filter(({ commands }) => commands.includes(command));
