/** A table of people; `shift` moves its shares, so that a later one differs from an earlier one. */
export const people = (rows: number, shift: number): string =>
  `who,age,colour,vip,city\n${Array.from({ length: rows }, (_, i) =>
    [
      `p${i % Math.ceil(rows / 2)}`,
      18 + ((i * 37 + shift * 5) % 60),
      ['red', 'green', 'blue'][(i * i + (i % 5 < shift ? 1 : 0)) % 3],
      (i + shift) % 4 === 0,
      ['Aldern', 'Brook', 'Cove', 'Dale'][(i * 7 + (i % 3) * shift) % 4],
    ].join(','),
  ).join('\n')}\n`;

/** The cells of three of their columns. */
export const peopleSchema = JSON.stringify({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'colour', type: 'category', values: ['red', 'green', 'blue'] },
    { name: 'vip', type: 'boolean' },
    { name: 'city', type: 'category', values: ['Aldern', 'Brook'], other: 'elsewhere' },
  ],
});
