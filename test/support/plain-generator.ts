import { layersOf, type NetworkShape } from '../../src/estimate/generator/network-shape.js';

/** The distributions that a network makes of noise vectors, in doubles and one number at a time: for each vector, for each head. */
export const plainHeads = (
  shape: NetworkShape,
  parameters: ArrayLike<number>,
  noise: ArrayLike<number>,
): number[][][] => {
  const layers = layersOf(shape);
  return Array.from({ length: noise.length / shape.noise }, (_, row) => {
    const inner = Array.from({ length: shape.noise }, (_, i) => noise[row * shape.noise + i]);
    for (const { inputs, outputs, weights, bias } of layers) {
      const sums = Array.from({ length: outputs }, (_, j) => {
        let sum = parameters[bias + j];
        for (let i = 0; i < inputs; i++) sum += inner[i] * parameters[weights + i * outputs + j];
        return sum;
      });
      inner.push(...(bias + outputs === parameters.length ? sums : sums.map((sum) => Math.max(0, sum))));
    }
    const logits = inner.slice(layers[layers.length - 1].inputs);
    return shape.heads.map((size) => {
      const powers = logits.splice(0, size).map((logit) => Math.exp(logit));
      const total = powers.reduce((sum, power) => sum + power, 0);
      return powers.map((power) => power / total);
    });
  });
};

/** The mean over rows of the products of some heads' probabilities: all cells, row-major. */
export const plainMarginal = (
  rows: readonly (readonly (readonly number[])[])[],
  heads: readonly number[],
): number[] => {
  const products = rows.map((row) =>
    heads.reduce<number[]>((cells, head) => cells.flatMap((cell) => row[head].map((p) => cell * p)), [1]),
  );
  return products[0].map((_, cell) => products.reduce((sum, row) => sum + row[cell], 0) / rows.length);
};

/**
 * H-GEM, section 4.2, by its formulas, one cell and one row at a time: what a household counts in each cell of household heads `own` and of person heads,
 * `slots[j]` being those of slot j; head 0 is that of sizes. With `bySize`, the sizes' cells stand between the two.
 */
export const plainCounted = (
  rows: readonly (readonly (readonly number[])[])[],
  {
    own,
    slots,
    once,
    bySize,
  }: { own: readonly number[]; slots: readonly (readonly number[])[]; once: boolean; bySize: boolean },
): number[] => {
  const answers = rows.map((row) => {
    const products = (heads: readonly number[]): number[] => plainMarginal([row], heads);
    const persons = slots.map(products);
    const terms = row[0].map((size, m) =>
      persons[0].map((_, cell) => {
        const there = persons.slice(0, m + 1).map((slot) => slot[cell]);
        const [none, sum] = there.reduce(([n, s], p) => [n * (1 - p), s + p], [1, 0]);
        return size * (once ? 1 - none : sum);
      }),
    );
    const inner = bySize ? terms.flat() : terms[0].map((_, cell) => terms.reduce((all, term) => all + term[cell], 0));
    return products(own).flatMap((g) => inner.map((value) => g * value));
  });
  return answers[0].map((_, cell) => answers.reduce((sum, row) => sum + row[cell], 0) / rows.length);
};
