import { parseSchema } from '../../src/domain/schema/parse-schema.js';
import { seeded } from '../../src/random/seeded.js';
import { uniformInteger } from '../../src/random/uniform.js';

/** A schema with a constraint of every kind, on a table that is made up (`loansLike`). */
export const loansSchema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'sex', type: 'category', values: ['f', 'm'] },
    { name: 'region', type: 'category', values: ['north', 'south'] },
    { name: 'age', type: 'integer', edges: [0, 10, 20, 80] },
    { name: 'marital', type: 'category', values: ['single', 'married'] },
    { name: 'job', type: 'category', values: ['clerk', 'cook'], null: true },
    { name: 'grade', type: 'category', values: ['A', 'B'] },
    { name: 'sub_grade', type: 'category', values: ['A1', 'A2', 'B1'] },
    { name: 'funded', type: 'integer', edges: [0, 10, 30, 60] },
    { name: 'loan', type: 'integer', edges: [0, 20, 60] },
    { name: 'rest', type: 'integer', edges: [0, 15, 60] },
  ],
  constraints: [
    { forbid: "age < 15 and marital = 'married'" },
    { empty: 'job', where: 'age < 10' },
    { from: 'sub_grade', to: 'grade', map: { A1: 'A', A2: 'A', B1: 'B' } },
    { require: 'funded <= loan' },
    { require: 'loan = funded + rest' },
    { of: ['region', 'sub_grade'], zeros: [['north', 'B1']] },
  ],
});

type Row = Readonly<Record<string, unknown>>;

/** Which constraint of that schema a row breaks; undefined for none. */
export const brokenLoan = (row: Row): string | undefined => {
  const { region, age, marital, job, grade, sub_grade, funded, loan, rest } = row;
  if (Number(age) < 15 && marital === 'married') return 'marital';
  if ((job === null) !== Number(age) < 10) return 'job';
  if (grade !== String(sub_grade)[0]) return 'grade';
  if (Number(funded) > Number(loan)) return 'funded';
  if (Number(loan) !== Number(funded) + Number(rest)) return 'sum';
  return region === 'north' && sub_grade === 'B1' ? 'zeros' : undefined;
};

interface Made {
  /** Whether a tenth of the rows pays no heed to constraints. */
  readonly isBroken: boolean;
}

/** Rows of that schema. */
export const loansLike = (count: number, seed: number, { isBroken }: Made): Row[] => {
  const random = seeded(seed);
  const below = (bound: number): number => uniformInteger(random, bound);
  const one = <T>(...values: readonly T[]): T => values[below(values.length)];
  return Array.from({ length: count }, () => {
    const age = below(70);
    const region = one('north', 'south', 'south');
    const sub = region === 'north' ? one('A1', 'A2') : one('A1', 'A2', 'B1', 'B1');
    const [funded, rest] = [below(30), one(0, 0, 5, 25)];
    const careful = {
      sex: one('f', 'm'),
      region,
      age,
      marital: age < 15 ? 'single' : one('single', 'married', 'married'),
      job: age < 10 ? null : one('clerk', 'cook'),
      grade: sub[0],
      sub_grade: sub,
      funded,
      loan: funded + rest,
      rest,
    };
    if (!isBroken || below(10) > 0) return careful;
    return {
      ...careful,
      marital: 'married',
      job: one(null, 'clerk'),
      grade: one('A', 'B'),
      funded: below(60),
      loan: below(60),
      region: 'north',
    };
  });
};

/** Households with constraints among their own columns, among those of persons, and between the two. */
export const homesSchema = parseSchema({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'age', type: 'integer', edges: [0, 15, 90] },
    { name: 'marital', type: 'category', values: ['single', 'married'] },
    { name: 'tenure', type: 'category', values: ['own', 'rent'] },
    { name: 'rooms', type: 'integer', min: 1, max: 2 },
  ],
  twoLevel: { key: 'home', household: ['tenure', 'rooms'], maxSize: 2, size: 'persons' },
  constraints: [
    { forbid: "age < 15 and marital = 'married'" },
    { forbid: "tenure = 'own' and rooms = 1" },
    { forbid: "tenure = 'rent' and rooms = 2 and age < 15" },
  ],
});

export const brokenHome = ({ age, marital, tenure, rooms }: Row): string | undefined => {
  if (Number(age) < 15 && marital === 'married') return 'marital';
  if (tenure === 'own' && rooms === 1) return 'tenure';
  return tenure === 'rent' && rooms === 2 && Number(age) < 15 ? 'rooms' : undefined;
};

/** Persons of that schema, with the key of each one's household; `persons`, their number, is made by whoever puts them together. */
export const homesLike = (count: number, seed: number, { isBroken }: Made): { persons: Row[]; keys: number[] } => {
  const random = seeded(seed);
  const one = <T>(...values: readonly T[]): T => values[uniformInteger(random, values.length)];
  const persons: Row[] = [];
  const keys: number[] = [];
  for (let home = 0; home < count; home++) {
    const broken = isBroken && home % 10 === 0;
    const tenure = one('own', 'rent');
    const rooms = broken ? one(1, 2) : tenure === 'own' ? 2 : one(1, 2);
    for (let i = one(1, 2); i > 0; i--) {
      const child = broken ? one(true, false) : !(tenure === 'rent' && rooms === 2) && i === 2;
      persons.push({
        age: child ? one(3, 9) : one(30, 50, 70),
        marital: child && !broken ? 'single' : one('single', 'married'),
        tenure,
        rooms,
        persons: 1,
      });
      keys.push(home);
    }
  }
  return { persons, keys };
};
