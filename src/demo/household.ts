import { normal } from '../random/normal.js';
import type { Random } from '../random/random.js';
import { uniform, uniformInteger } from '../random/uniform.js';
import { dwellings, settlements, type tenures } from './categories.js';
import { decades, regions } from './country.js';
import { chance, clamp, pick } from './draw.js';
import { drawPerson, type Person, type Place } from './person.js';

export interface Household {
  readonly region: string;
  readonly district: string;
  readonly settlement: (typeof settlements)[number];
  readonly dwelling: (typeof dwellings)[number];
  readonly tenure: (typeof tenures)[number];
  /** The day the reference person moved in, ISO. */
  readonly movedIn: string;
  /** One to `maxSize` persons, the reference person first. */
  readonly persons: readonly Person[];
}

export const maxSize = 8;
/** Nobody of the country remembers moving in before. */
export const earliestMove = 1950;

/** A household of a year: the place first, then who lives there, then what they can afford. */
export const drawHousehold = (random: Random, year: number): Household => {
  const place = drawPlace(random, year);
  const persons = drawPersons(random, place);
  const tenure = drawTenure(random, persons, place);
  return {
    region: place.region.name,
    district: place.district.name,
    settlement: settlements[place.settlement],
    dwelling: drawDwelling(random, persons.length, tenure, place),
    tenure,
    movedIn: drawMove(random, persons[0].age, tenure, place),
    persons,
  };
};

const districtWeights = new Map(regions.map((region) => [region, region.districts.map(({ weight }) => weight)]));

const drawPlace = (random: Random, year: number): Place => {
  const t = decades(year);
  const region =
    regions[
      pick(
        random,
        regions.map(({ share, growth }) => share * Math.exp(1.6 * growth * t)),
      )
    ];
  const district = region.districts[pick(random, districtWeights.get(region)!)];
  const density = region.density + district.density + 0.6 * region.growth * t;
  const settlement = pick(random, [Math.exp(density), 1, Math.exp(-0.9 * density - 0.5)]);
  return { region, district, settlement, year };
};

/** Who lives together. The kinds: alone, couple, couple with children, one parent, three generations, shared. */
const drawPersons = (random: Random, place: Place): Person[] => {
  const t = decades(place.year);
  const { settlement } = place;
  const city = settlement === 0 ? 1 : 0;
  const kind = pick(random, [
    0.3 + 0.06 * t + 0.1 * city,
    0.29,
    0.27 - 0.03 * t - 0.05 * city + 0.02 * settlement,
    0.07 + 0.01 * t,
    0.02 + 0.02 * settlement,
    0.02 + 0.05 * city + 0.02 * t,
  ]);
  const leaning = normal(random);
  const sexOf = (logit: number) => (chance(random, logit) ? 'female' : 'male') as Person['sex'];
  const add = (persons: Person[], relation: Person['relation'], age: number, sex: Person['sex']) => {
    // Those who live together resemble each other, lodgers do not.
    const own = relation === 'lodger' ? normal(random) : 0.8 * leaning + 0.6 * normal(random);
    persons.push(drawPerson(random, relation, clamp(Math.round(age), 0, 99), sex, own, place));
  };
  const persons: Person[] = [];
  const parents = kind === 2 || kind === 3 || kind === 4;
  const age = clamp(Math.round(referenceAge(random, kind, t)), 18, 96);
  const sex = sexOf(kind === 3 ? 1.6 : kind === 0 && age > 65 ? 0.8 : -0.2);
  add(persons, 'reference', age, sex);
  if (kind === 1 || kind === 2 || kind === 4) {
    const other = chance(random, 3.2) ? (sex === 'female' ? 'male' : 'female') : sex;
    add(persons, 'partner', Math.max(18, age + (sex === 'male' ? -2 : 2) + 3.5 * normal(random)), other);
  }
  if (parents) {
    const rural = settlement === 2 ? 0.5 : 0;
    const children =
      1 + pick(random, [1, kind === 3 ? 0.55 : 1.05, 0.38 + rural, 0.1 + 0.4 * rural, 0.05 * (1 + rural)]);
    let youngest = clamp(age - 30 - 0.8 * t + 5 * normal(random), 0, 24);
    for (let i = 0; i < children; i++) {
      add(persons, 'child', youngest, sexOf(-0.05));
      youngest = clamp(youngest + 1.5 + 2 * uniform(random), 0, Math.max(0, age - 17));
    }
  }
  if (kind === 4) add(persons, 'relative', age + 26 + 4 * normal(random), sexOf(0.6));
  if (kind === 5) {
    const lodgers = 1 + uniformInteger(random, 3);
    for (let i = 0; i < lodgers; i++) add(persons, 'lodger', Math.max(18, age + 5 * normal(random)), sexOf(0));
  }
  return persons.slice(0, maxSize);
};

const referenceAge = (random: Random, kind: number, t: number): number => {
  const z = normal(random);
  if (kind === 0) return chance(random, 0.3 + 0.15 * t) ? 66 + 13 * z : 35 + 10 * z;
  if (kind === 1) return chance(random, 1 + 0.2 * t) ? 62 + 10 * z : 34 + 7 * z;
  if (kind === 2) return 41 + 8 * z + t;
  if (kind === 3) return 39 + 8 * z;
  if (kind === 4) return 46 + 7 * z;
  return 25 + 4 * Math.abs(z);
};

const drawTenure = (random: Random, persons: readonly Person[], { settlement, year }: Place): Household['tenure'] => {
  const t = decades(year);
  let income = 0;
  for (const person of persons) income += person.income ?? 0;
  const means = Math.log((income + 4000) / (34_000 * Math.exp(0.25 * t)));
  const age = persons[0].age;
  const logits = [
    -2.6 + 0.06 * (age - 25) + 0.5 * means + 0.5 * (settlement - 1),
    -0.2 - 0.0016 * (age - 42) ** 2 + (1.1 + 0.25 * t) * means - 0.3 * t + 0.25 * (persons.length - 2),
    0.2 - 0.035 * (age - 30) + 0.45 * t + (settlement === 0 ? 0.7 : 0),
    -0.7 - 1.1 * means - 0.25 * t + (settlement === 0 ? 0.3 : -0.4) + 0.12 * (persons.length - 2),
  ];
  return (['owned outright', 'mortgage', 'private rent', 'social rent'] as const)[pick(random, logits.map(Math.exp))];
};

const drawDwelling = (
  random: Random,
  size: number,
  tenure: Household['tenure'],
  { region, settlement, year }: Place,
): Household['dwelling'] => {
  const rents = tenure === 'private rent' || tenure === 'social rent';
  const logits = [
    1.2 - 1.5 * settlement + (rents ? 1.1 : 0) - 0.4 * (size - 2) + 0.3 * decades(year),
    0.4 - 0.3 * Math.abs(settlement - 1) + 0.1 * (size - 2),
    -0.9 + 0.9 * settlement + (rents ? -0.9 : 0.2) + 0.2 * (size - 2) + region.wealth,
    -3.5 + 1.6 * (settlement - 1) + 0.8 * region.trade.farming,
  ];
  return dwellings[pick(random, logits.map(Math.exp))];
};

const day = 86_400_000;

/** Owners stay, renters move; nobody moved in before coming of age. The census is taken on the first of May. */
const drawMove = (random: Random, age: number, tenure: Household['tenure'], { year }: Place): string => {
  const stay = tenure === 'owned outright' ? 21 : tenure === 'mortgage' ? 9 : tenure === 'social rent' ? 11 : 3.5;
  const longest = Math.min(Math.max(1, age - 17), year - earliestMove);
  const years = Math.min(-stay * Math.log(1 - uniform(random)), longest * uniform(random) ** 0.15);
  return new Date(Date.UTC(year, 4, 1) - Math.floor(years * 365.2425) * day).toISOString().slice(0, 10);
};
