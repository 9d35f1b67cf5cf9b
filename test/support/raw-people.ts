import { seeded } from '../../src/random/seeded.js';
import { uniform } from '../../src/random/uniform.js';

/** Two tables as people have them, made up: labels, empty cells, decimals, dates in three forms; semicolons and decimal commas in one. */
export const rawTables = (rows: number): { readonly passengers: string; readonly patients: string } => {
  const random = seeded(77);
  const u = (): number => uniform(random);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(u() * list.length)];
  const two = (n: number): string => String(n).padStart(2, '0');
  const passengers = [';Class;Sex;Age;Fare;Embarked;Booked;Comment;Survived'];
  const patients = ['patient_id,gender,age,hypertension,avg_glucose_level,bmi,smoking_status,admitted,seen'];
  for (let i = 0; i < rows; i++) {
    const rank = pick(['first', 'second', 'third', 'third']);
    const fare = (rank === 'first' ? 60 : 8) * (0.5 + u() + u() ** 4 * 5);
    passengers.push(
      [
        i,
        rank,
        pick(['female', 'male', 'male']),
        u() < 0.15 ? '' : Math.floor(1 + 75 * u() ** 1.3),
        fare.toFixed(2).replace('.', ','),
        pick(['Southampton', 'Southampton', 'Cherbourg', 'Queenstown']),
        `${two(1 + Math.floor(28 * u()))}.${two(1 + Math.floor(4 * u()))}.1912`,
        `"said ""${i}""; no more"`,
        u() < (rank === 'first' ? 0.6 : 0.3) ? 'yes' : 'no',
      ].join(';'),
    );
    const age = Math.floor(1 + 85 * u());
    patients.push(
      [
        1000 + i,
        pick(['Female', 'Male']),
        age,
        u() < age / 300 ? 1 : 0,
        (60 + 200 * u() ** 3).toFixed(2),
        u() < 0.05 ? 'N/A' : (18 + 20 * u()).toFixed(1),
        pick(['never smoked', 'formerly smoked', 'smokes', 'Unknown']),
        `${1 + Math.floor(12 * u())}/${1 + Math.floor(28 * u())}/${2015 + Math.floor(8 * u())}`,
        `20${two(15 + Math.floor(8 * u()))}-${two(1 + Math.floor(12 * u()))}-${two(1 + Math.floor(28 * u()))}`,
      ].join(','),
    );
  }
  return { passengers: `${passengers.join('\n')}\n`, patients: `${patients.join('\n')}\n` };
};
