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
