/**
 * Orvania, a country that does not exist. Its regions differ in what makes tables interesting (density, wealth, trades), and
 * drift apart with the years. Every name is invented.
 */
export const countryName = 'Orvania';

export interface District {
  readonly name: string;
  /** Share of its region's households. */
  readonly weight: number;
  /** Leaning to city (positive) or countryside, in logits, on top of the region's. */
  readonly density: number;
  /** Typical way to work, in minutes. */
  readonly distance: number;
}

export interface Region {
  readonly name: string;
  /** Share of the country's households in the base year. */
  readonly share: number;
  readonly density: number;
  /** Log of incomes against the country. */
  readonly wealth: number;
  /** Which trades are at home here, in logits. */
  readonly trade: { readonly farming: number; readonly industry: number; readonly office: number };
  /** Growth of wages against the country, per decade, in logs; households follow the work. */
  readonly growth: number;
  readonly districts: readonly District[];
}

/** The year that the parameters describe; other years drift away from it. */
const baseYear = 2015;

/** Years since the base year, in decades. */
export const decades = (year: number): number => (year - baseYear) / 10;

const district = (name: string, weight: number, density: number, distance: number): District => ({
  name,
  weight,
  density,
  distance,
});

const trade = (farming: number, industry: number, office: number) => ({ farming, industry, office });

export const regions: readonly Region[] = [
  {
    name: 'Calder Bay',
    share: 0.22,
    density: 1.6,
    wealth: 0.18,
    trade: trade(-2, -0.6, 0.9),
    growth: 0.18,
    districts: [
      district('Old Quay', 3, 1.2, 18),
      district('Lanternhill', 3, 0.8, 26),
      district('Northmoor', 2, 0.2, 38),
      district('Saltgate', 2, 0.5, 31),
      district('Willowmere', 1, -0.7, 52),
    ],
  },
  {
    name: 'Ashvale',
    share: 0.15,
    density: 0.5,
    wealth: 0.03,
    trade: trade(-0.6, 0.7, 0.1),
    growth: -0.05,
    districts: [
      district('Forgebridge', 3, 0.7, 20),
      district('Ashvale Green', 2, 0, 27),
      district('Coppergate', 2, 0.3, 24),
      district('Low Tarn', 1, -0.9, 41),
    ],
  },
  {
    name: 'Brennick',
    share: 0.12,
    density: 0.1,
    wealth: -0.08,
    trade: trade(0.2, 1.1, -0.4),
    growth: -0.2,
    districts: [
      district('Brennick Town', 3, 0.6, 19),
      district('Pitmoor', 2, 0, 25),
      district('Slatecombe', 2, -0.3, 34),
    ],
  },
  {
    name: 'Dunmarrow',
    share: 0.1,
    density: -0.5,
    wealth: -0.12,
    trade: trade(1.2, -0.1, -0.4),
    growth: -0.1,
    districts: [
      district('Marrowford', 2, 0.5, 22),
      district('Highfold', 2, -0.4, 30),
      district('Barleyreach', 2, -0.8, 33),
      district('Thornwick', 1, -1, 44),
    ],
  },
  {
    name: 'Eldermoor',
    share: 0.07,
    density: -1,
    wealth: -0.18,
    trade: trade(1.6, -0.4, -0.6),
    growth: -0.22,
    districts: [district('Elderby', 2, 0.6, 24), district('Peatholm', 2, -0.5, 35), district('Graywater', 1, -0.8, 47)],
  },
  {
    name: 'Fallowcoast',
    share: 0.09,
    density: -0.2,
    wealth: -0.05,
    trade: trade(0.6, -0.5, 0),
    growth: 0.06,
    districts: [
      district('Gullhaven', 3, 0.5, 20),
      district('Driftsand', 2, -0.2, 28),
      district('Lowtide', 1, -0.6, 39),
    ],
  },
  {
    name: 'Highmere',
    share: 0.08,
    density: -0.7,
    wealth: 0.08,
    trade: trade(0.5, -0.7, 0.2),
    growth: 0.12,
    districts: [
      district('Mere Crossing', 2, 0.4, 26),
      district('Larkspire', 2, -0.2, 36),
      district('Stonecairn', 1, -0.9, 55),
    ],
  },
  {
    name: 'Ostrel',
    share: 0.09,
    density: 0.9,
    wealth: 0.14,
    trade: trade(-0.8, 0.1, 0.7),
    growth: 0.25,
    districts: [
      district('Ostrel Centre', 3, 1, 16),
      district('Glassworks', 2, 0.6, 21),
      district('Orchard Rise', 2, -0.1, 33),
      district('Fernhollow', 1, -0.7, 45),
    ],
  },
  {
    name: 'Quillon',
    share: 0.05,
    density: -0.3,
    wealth: -0.02,
    trade: trade(0.3, 0.3, -0.1),
    growth: 0,
    districts: [
      district('Quillon Cross', 2, 0.5, 21),
      district('Hartsedge', 1, -0.3, 29),
      district('Vinery', 1, -0.6, 32),
    ],
  },
  {
    name: 'Wraymouth',
    share: 0.03,
    density: 0.3,
    wealth: -0.15,
    trade: trade(-0.2, 0.9, -0.3),
    growth: -0.15,
    districts: [district('Wray Docks', 2, 0.5, 19), district('Tollstone', 1, 0, 27), district('Eelmarsh', 1, -0.8, 40)],
  },
];
