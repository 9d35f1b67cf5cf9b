import { seededEntropy } from '../../src/advanced.js';
import { InputError, seeded } from '../../src/index.js';
import { type Args, command, type Io } from '../command.js';
import { budgetRequest, unitFrom } from '../options/combined.js';
import { ledgerFor } from '../options/ledger-for.js';
import { releaseSchema } from '../options/release-schema.js';
import { checkedJson, checkedText, comparedText } from '../text/check-public-text.js';
import { stopRemark } from '../text/stop-remark.js';
import { tellingWhatIsSpent } from '../text/telling-what-is-spent.js';

type CheckArgs = Args<'check-public'>;

export default command({
  name: 'check-public',
  usage: [
    'PRIVATE --public FILE [--public FILE ...] --epsilon E [options]',
    '--public FILE [--public FILE ...] --against TABLE [options]',
  ],
  about: `The first form asks the private table, for a part of the budget: how far off is each public table as it is, how far off
under the best weighting of its rows (that is what a release can reach), and how far off is plain measuring. The answers are
noisy, with 95% margins. The second form compares with a *public* table that stands for the private one, such as an
earlier year: exact, and free. All errors are those of the worst cell of all pairs of attributes.`,
  examples: [
    'surmise check-public survey.csv --public survey-2018.csv --public neighbours.csv --epsilon 1',
    'surmise check-public --public survey-2018.csv --public neighbours.csv --against survey-2021.csv',
  ],
  run: async (args, io) => {
    const { values, operands } = args;
    const [file] = operands as readonly (string | undefined)[];
    const { against } = values;
    if ((file === undefined) === (against === undefined))
      throw new InputError(
        'check-public: needs either the private table or a public one to compare with (--against), got both or neither; see surmise check-public --help',
      );
    const { assertDistinct, assertPublic } = await import('../../adapters/index.js');
    for (const name of values.public) {
      await assertPublic(name, { private: file });
      if (against !== undefined) await assertDistinct(name, against);
    }
    if (against !== undefined) {
      await assertPublic(against);
      return compare(args, against, io);
    }
    return check(args, file!, io);
  },
});

const common = ({ values }: CheckArgs, io: Io) => ({
  ...io.running,
  public: values.public,
  random: seeded(1),
  maxCells: values['max-cells'],
  outside: values.outside,
});

const schemaOf = async ({ values, operands: [file] }: CheckArgs, io: Io) => {
  const { schema, exclude } = values;
  const choice = { schema, public: values.public[0], private: file, exclude, unitId: values['unit-id'] };
  return (await releaseSchema({ ...io.running, ...choice })).schema;
};

/** Options that say how a private table is paid for. */
const paid = [
  'epsilon',
  'delta',
  'pure',
  'ledger',
  'another-ledger',
  'dataset',
  'share',
  'relation',
  'unit-id',
  'max-records',
];

/** With a public table in the private one's place: exact and free. */
const compare = async (args: CheckArgs, against: string, io: Io): Promise<undefined> => {
  const stray = paid.find((option) => args.typed.has(option));
  if (stray !== undefined)
    throw new InputError(
      `option --${stray}: is for a private table, got it with --against, which is free; leave it out`,
    );
  const { comparePublicFiles } = await import('../../adapters/index.js');
  const tables = await comparePublicFiles(against, { ...common(args, io), schema: await schemaOf(args, io) });
  io.out(args.values.json ? `${JSON.stringify({ against, tables }, null, 2)}\n` : comparedText(against, tables, io));
};

/** With the private table, for a part of the budget. */
const check = async (args: CheckArgs, file: string, io: Io): Promise<undefined> => {
  const { values } = args;
  const seed = values['unsafe-seed'];
  const request = {
    ...common(args, io),
    budget: budgetRequest(values),
    share: values.share,
    ledger: values.ledger,
    anotherLedger: values['another-ledger'],
    relation: values.relation,
    unit: unitFrom(values),
    dataset: values.dataset,
    entropy: seed === undefined ? undefined : seededEntropy(seed),
  };
  const ledger = await ledgerFor(file, values.ledger, seed !== undefined);
  const checked = await tellingWhatIsSpent(ledger, io, async (onReserved) => {
    const schema = await schemaOf(args, io);
    const onOpen = () => io.err(stopRemark(schema, values.outside));
    const { checkPublicFiles } = await import('../../adapters/index.js');
    return checkPublicFiles(file, { ...request, schema, onOpen, onReserved });
  });
  io.out(values.json ? checkedJson(checked) : checkedText(checked, ledger, io));
};
