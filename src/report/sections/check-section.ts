import type { Manifest } from '../../bundle/manifest.js';
import { outsideText } from '../../domain/schema/outside.js';
import { type Html, html, named, trusted } from '../html.js';
import { behind, facts, paragraph, type Section, table } from '../layout.js';
import { count } from '../number-text.js';

/** The name of the report beside the other files of a release. */
export const reportName = 'report.html';

const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const settings = (values: Readonly<Record<string, unknown>>): Html =>
  facts(Object.entries(values).map(([name, value]) => [name, named(plain(value), 160)] as const));

/** What of the release was made anew from its measurements, in words. */
const refitText = ({ estimator, public: table, of }: NonNullable<Manifest['refit']>): string =>
  `${estimator === undefined ? 'the rows, from the model of the release' : `the model, by ${estimator}${table === undefined ? '' : ` on ${table.file}`}, from the measurements of the release`}, at no cost in privacy; the bundle.json that it was made from has SHA-256 ${of.slice(0, 12)}…`;

/** How to check the release and to ask it more, and what it was made with. */
export const checkSection = ({
  software,
  mechanism,
  ledger,
  files,
  sampling,
  schema,
  public: prior,
  configuration,
  refit,
}: Manifest): Section => {
  const commands = 'surmise verify DIR\nsurmise query DIR "SELECT …, COUNT(*) FROM data GROUP BY …"';
  const origin =
    schema.origin.kind === 'declared'
      ? 'declared by its holder'
      : schema.origin.kind === 'discovered'
        ? 'asked of the private table, with noise, as part of the release'
        : `learned from the public table ${schema.origin.file} (${count(schema.origin.rows)} rows)`;
  // The report cannot hold its own hash.
  const others = files.filter(({ name }) => name !== reportName);
  return {
    id: 'check',
    title: 'How to check it, and to ask more',
    body: html`${paragraph(
      'With the directory of the release (DIR), and no private data, everybody can check that its files are as they were made, that the privacy statement follows from the charges, and that every measurement has the noise it was charged for; and can ask the model at no further cost in privacy:',
    )}<pre>${trusted(commands)}</pre>${paragraph(
      'The holder of the private table can also compare with its ledger: surmise verify DIR --ledger FILE. A release is not signed: who wants to be sure whom it comes from must get it from there.',
    )}${facts([
      ['made by', software],
      ['mechanism', mechanism.name],
      ...(refit === undefined ? [] : ([['made anew', refitText(refit)]] as const)),
      ['dataset', named(ledger.dataset, 60)],
      ['schema', origin],
      ...(configuration?.outside === undefined
        ? []
        : ([['values that the schema does not name', outsideText[configuration.outside]]] as const)),
      ['public table', prior === undefined ? 'none' : `${prior.file}, ${count(prior.rows)} rows`],
      [
        'last record of the ledger',
        html`${ledger.records}, <code title="${ledger.tip}">${ledger.tip.slice(0, 12)}…</code>`,
      ],
      ...(sampling === undefined
        ? []
        : ([
            ['synthetic rows', `${count(sampling.rows)}, seed ${sampling.seed}`],
            ['values within cells', sampling.values],
          ] as const)),
    ])}${behind('Settings', settings(mechanism.options))}${behind('Notes of the run', settings(mechanism.notes))}${
      refit?.notes === undefined ? '' : behind('Notes of the new fit', settings({ ...refit.options, ...refit.notes }))
    }${behind(
      'Files',
      table(
        [{ title: 'file' }, { title: 'bytes', number: true }, { title: 'SHA-256' }],
        others.map(({ name, bytes, sha256 }) => [name, count(bytes), html`<code>${sha256}</code>`]),
      ),
    )}`,
  };
};
