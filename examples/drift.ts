// How far a public earlier year is from a private later one, in the fictional country: what a prior can know and what it
// cannot. Comparing with private rows like this is for invented data only.
import { type DemoColumns, demoCountry } from 'surmise/advanced';

const shares = ({ tenure }: DemoColumns): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of tenure) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1 / tenure.length);
  return counts;
};

const [before, after] = [2018, 2023].map((year) => shares(demoCountry({ seed: 1, households: 5000, year }).households));
for (const [tenure, share] of [...before].sort())
  console.log(`${tenure}: ${(100 * share).toFixed(1)}% -> ${(100 * after.get(tenure)!).toFixed(1)}%`);
