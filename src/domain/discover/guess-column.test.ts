import { expect, it } from 'vitest';
import { guessColumn } from './guess-column.js';

const kindOf = (name: string): string | undefined => {
  const spec = guessColumn(name)?.spec;
  if (spec === undefined) return undefined;
  return spec.type === 'category' && spec.values === 'discover' ? 'words' : spec.type;
};

it.each([
  ['date', 'dob', 'Date of birth', 'dateOfBirth', 'BIRTHDAY', 'born', 'admission_date', 'day'],
  ['words', 'country of birth', 'Sex', 'zip_code', 'Marital status', 'age group', 'State'],
  ['number', 'birth_weight', 'Income', 'heightCm', 'lat', 'success_rate', 'pct_paid'],
  ['integer', 'age', 'Year of birth', 'children'],
  ['category', 'day_of_week', 'weekday', 'Month'],
  ['boolean', 'is_married', 'hasCar'],
  ['id', 'id', 'patient_id', 'PatientId', 'SSN'],
  ['text', 'Name', 'e-mail', 'Home address'],
  [undefined, 'x', 'his', 'agenda', 'dated_by', ''],
])('takes for %s by their names: %s and others', (kind, ...names) => {
  for (const name of names) expect([name, kindOf(String(name))]).toEqual([name, kind]);
});
