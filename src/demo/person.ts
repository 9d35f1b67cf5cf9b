import { normal } from '../random/normal.js';
import type { Random } from '../random/random.js';
import { uniform } from '../random/uniform.js';
import { activities, educations, type insurances, occupations, type relations, type sexes } from './categories.js';
import { type District, decades, type Region } from './country.js';
import { chance, clamp, pick } from './draw.js';

export interface Person {
  readonly relation: (typeof relations)[number];
  /** Completed years, 0..99. */
  readonly age: number;
  readonly sex: (typeof sexes)[number];
  readonly education: (typeof educations)[number];
  /** Null below 16. */
  readonly activity: (typeof activities)[number] | null;
  /** Null for those who do not work. */
  readonly occupation: (typeof occupations)[number] | null;
  /** Crowns a year, a multiple of ten; null below 16. */
  readonly income: number | null;
  readonly insurance: (typeof insurances)[number];
  readonly disability: boolean;
  /** Minutes to work, 0 at home; null for those who do not work. */
  readonly commute: number | null;
}

/** Where and when a person lives: what a household's members share. */
export interface Place {
  readonly region: Region;
  readonly district: District;
  /** Position in `settlements`: 0 city, 1 town, 2 countryside. */
  readonly settlement: number;
  readonly year: number;
}

const legalAge = 16;

/**
 * A person given age, sex and place: age and birth year decide education, education and the region's trades the occupation,
 * both the income. `leaning` is what the members of a household have in common (standard normal).
 */
export const drawPerson = (
  random: Random,
  relation: Person['relation'],
  age: number,
  sex: Person['sex'],
  leaning: number,
  place: Place,
): Person => {
  const level = drawEducation(random, age, sex, leaning, place);
  const activity = age < legalAge ? null : drawActivity(random, age, sex, level, relation, place);
  const works = activity === 'employed' || activity === 'self-employed';
  const occupation = works ? drawOccupation(random, level, sex, activity, place) : null;
  const disability = chance(random, -4.3 + 0.042 * age + (age > 75 ? 0.5 : 0) - 0.15 * level + (works ? -0.6 : 0));
  const income =
    activity === null ? null : drawIncome(random, age, sex, level, activity, occupation, leaning, disability, place);
  return {
    relation,
    age,
    sex,
    education: educations[level],
    activity,
    occupation,
    income,
    insurance: drawInsurance(random, age, activity, income, place),
    disability,
    commute: occupation === null ? null : drawCommute(random, level, occupation, activity, place),
  };
};

/** A position in `educations`. Later cohorts study longer, cities and wealthy regions too; it takes its years. */
const drawEducation = (
  random: Random,
  age: number,
  sex: Person['sex'],
  leaning: number,
  { region, settlement, year }: Place,
): number => {
  if (age < 7) return 0;
  if (age < 13) return uniform(random) < 0.85 ? 1 : 0;
  const cohort = (year - age - 1970) / 20;
  const women = sex === 'female' ? 0.15 * cohort : 0;
  const drift = 0.12 * decades(year);
  const merit = 0.75 * leaning + 0.55 * cohort + women + 1.2 * region.wealth - 0.25 * settlement + drift;
  const score = merit + normal(random);
  const level = score < -2.6 ? 0 : score < -1.5 ? 1 : score < -0.1 ? 2 : score < 0.75 ? 3 : score < 1.9 ? 4 : 5;
  const reachable = age < 16 ? 1 : age < 19 ? 2 : age < 22 ? 3 : age < 25 ? 4 : 5;
  return Math.min(level, reachable);
};

const drawActivity = (
  random: Random,
  age: number,
  sex: Person['sex'],
  level: number,
  relation: Person['relation'],
  { region, year }: Place,
): (typeof activities)[number] => {
  const t = decades(year);
  const retires = 63 + 1.5 * t + 0.4 * level;
  const working = Math.exp(-0.5 * Math.max(0, age - retires));
  const studying = age < 30 ? Math.exp(2.6 - 0.45 * (age - 16) + (relation === 'child' ? 0.8 : 0)) : 0;
  const home = (sex === 'female' ? 0.32 - 0.06 * t : 0.1) * (age > 25 && age < 60 ? 1 : 0.6);
  return activities[
    pick(random, [
      2.6 * working * (1 + 0.12 * level),
      0.32 * working * (age > 25 ? 1 : 0.3) * Math.exp(0.4 * region.trade.farming),
      (0.24 - 0.05 * t) * working * Math.exp(-0.25 * level - 1.4 * region.growth * (1 + t) + (age < 27 ? 0.5 : 0)),
      studying,
      age > 50 ? 3 * (1 - working) + 0.04 * (age - 50) * working : 0,
      home,
    ])
  ];
};

/** Weight of each occupation for each education, in logits: rows as `occupations`, slope per education level around 2.5. */
const slopes = [0.75, 1.35, 0.7, 0.25, -0.25, 0.1, -0.25, -0.6, -0.45, -0.9];
const bases = [-0.9, -0.5, -0.3, 0.1, 0.5, -0.1, 0.3, 0.2, -0.9, 0];
const womenLean = [-0.35, 0.1, -0.4, 0.6, 0.3, 1.2, -1.5, -0.6, -0.5, 0.1];
/** Change per decade: fewer in trades, industry, farms and clerical rooms, more in professions, technology and care. */
const drifts = [0.05, 0.3, 0.35, -0.4, 0.1, 0.3, -0.1, -0.4, -0.35, -0.05];

const drawOccupation = (
  random: Random,
  level: number,
  sex: Person['sex'],
  activity: Person['activity'],
  { region, settlement, year }: Place,
): (typeof occupations)[number] => {
  const t = decades(year);
  const { farming, industry, office } = region.trade;
  const weights = new Array<number>(occupations.length);
  for (let i = 0; i < weights.length; i++) {
    let logit = bases[i] + slopes[i] * (level - 2.5) + drifts[i] * t + (sex === 'female' ? womenLean[i] : 0);
    if (i <= 3) logit += office * (1 + 0.25 * t) - 0.2 * settlement;
    if (i === 7) logit += industry * (1 - 0.2 * t);
    if (i === 8) logit += farming + 1.3 * (settlement - 1) + (activity === 'self-employed' ? 1.5 : 0);
    if (i === 6 && activity === 'self-employed') logit += 0.8;
    weights[i] = Math.exp(logit);
  }
  return occupations[pick(random, weights)];
};

/** Log of pay against the country's, as `occupations`. */
const pay = [0.42, 0.32, 0.15, -0.05, -0.25, -0.12, 0.02, 0, -0.3, -0.4];

const drawIncome = (
  random: Random,
  age: number,
  sex: Person['sex'],
  level: number,
  activity: (typeof activities)[number],
  occupation: Person['occupation'],
  leaning: number,
  disability: boolean,
  { region, year }: Place,
): number => {
  const t = decades(year);
  // Wages grow 28% a decade, more where the region grows; schooling pays more each year, the gap of the sexes narrows.
  const level0 = 10.2 + 0.25 * t + region.wealth + region.growth * t + (0.1 + 0.03 * t) * (level - 2.5);
  const gap = sex === 'female' ? -0.16 + 0.06 * t : 0;
  const experience = -0.00045 * (clamp(age, 18, 66) - 48) ** 2;
  const noise = normal(random);
  let log: number;
  if (occupation !== null) {
    const spread = activity === 'self-employed' ? 0.75 : 0.38;
    log = level0 + gap + experience + pay[occupations.indexOf(occupation)] + 0.08 * leaning + spread * noise;
    // Half of the women with care at home and one man in twelve work part of the week.
    if (chance(random, sex === 'female' ? -0.9 : -2.4)) log -= 0.55;
  } else if (activity === 'retired') log = level0 - 0.62 + 1.6 * gap + 0.06 * leaning + 0.33 * noise;
  else if (activity === 'unemployed') log = level0 - 1.05 + 0.3 * noise;
  else if (chance(random, disability ? -1.5 : 0.2)) return 0;
  else log = level0 - (activity === 'student' ? 1.9 : 1.5) + 0.6 * noise;
  return clamp(10 * Math.round(Math.exp(log) / 10), 0, 400_000);
};

const drawInsurance = (
  random: Random,
  age: number,
  activity: Person['activity'],
  income: number | null,
  { region, settlement, year }: Place,
): Person['insurance'] => {
  const t = decades(year);
  const means = income === null ? 0 : Math.log((income + 3000) / 26_000);
  const logits = [
    0.6 + (age >= 65 ? 2.2 : 0) + (age < 18 ? 1.2 : 0) - 0.6 * means,
    activity === 'employed' ? 1.3 + 0.5 * means - 0.25 * t : -2.5,
    -1.6 + 1.1 * means + 0.45 * t + (settlement === 0 ? 0.3 : 0) + (activity === 'self-employed' ? 0.9 : 0),
    -1.5 - 0.5 * means + (age > 18 && age < 35 ? 0.7 : 0) - (age >= 65 ? 1.5 : 0) - 1.2 * region.wealth - 0.5 * t,
  ];
  return (['public', 'employer', 'private', 'none'] as const)[pick(random, logits.map(Math.exp))];
};

const drawCommute = (
  random: Random,
  level: number,
  occupation: (typeof occupations)[number],
  activity: Person['activity'],
  { district, settlement, year }: Place,
): number => {
  const t = decades(year);
  const desk = occupations.indexOf(occupation) <= 3;
  const home =
    -3.4 + (desk ? 0.9 + 1.3 * t : 0) + (activity === 'self-employed' ? 1 : 0) + (occupation === 'farming' ? 2.2 : 0);
  if (chance(random, home)) return 0;
  const log =
    Math.log(district.distance) + 0.07 * (level - 2.5) + 0.12 * (settlement - 1) + 0.05 * t + 0.5 * normal(random);
  return clamp(Math.round(Math.exp(log)), 1, 180);
};
