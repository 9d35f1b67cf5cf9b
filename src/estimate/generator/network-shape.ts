import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';

/**
 * A multi-headed perceptron with residual connections (H-GEM, section 4.2 and A.2.2): each hidden layer sees the noise and all hidden
 * layers before it, and so does the last one, whose columns are the logits of the heads.
 */
export interface NetworkShape {
  /** Numbers of a noise vector. */
  readonly noise: number;
  /** Widths of the hidden layers. */
  readonly hidden: readonly number[];
  /** Cells of each softmax head; the columns of the heads lie one after the other. */
  readonly heads: readonly number[];
}

/** Two hidden layers of 256 and 512, as the paper has them. */
export const usualNetwork = { noise: 128, hidden: [256, 512] } as const;

/** One layer: outputs = inputs x weights + bias. Its inputs are the first columns of what the layers before it have made. */
export interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  /** Where its weights, row-major by input, begin among the parameters; its bias follows. */
  readonly weights: number;
  readonly bias: number;
}

/** Columns of all heads together. */
export const headColumns = ({ heads }: NetworkShape): number => heads.reduce((sum, size) => sum + size, 0);

/** Columns of the noise and of the hidden layers together. */
export const innerColumns = ({ noise, hidden }: NetworkShape): number =>
  hidden.reduce((sum, width) => sum + width, noise);

/** All layers, the hidden ones first. */
export const layersOf = (shape: NetworkShape): Layer[] => {
  let inputs = shape.noise;
  let next = 0;
  return [...shape.hidden, headColumns(shape)].map((outputs) => {
    const layer = { inputs, outputs, weights: next, bias: next + inputs * outputs };
    next = layer.bias + outputs;
    inputs += outputs;
    return layer;
  });
};

/** Number of parameters. */
export const parameterCount = (shape: NetworkShape): number =>
  layersOf(shape).reduce((sum, { inputs, outputs }) => sum + (inputs + 1) * outputs, 0);

/** Parameters to start from: weights of variance 2 / inputs before a cut-off at 0 (He et al. 2015), 1 / inputs in the last layer, no bias. */
export const initialParameters = (shape: NetworkShape, random: Random): Float32Array => {
  const parameters = new Float32Array(parameterCount(shape));
  const layers = layersOf(shape);
  for (const layer of layers) {
    const deviation = Math.sqrt((layer === layers[layers.length - 1] ? 1 : 2) / layer.inputs);
    for (let i = layer.weights; i < layer.bias; i++) parameters[i] = deviation * normal(random);
  }
  return parameters;
};

/** `batch` noise vectors, row by row, each number standard normal. */
export const noiseVectors = ({ noise }: NetworkShape, batch: number, random: Random): Float32Array =>
  Float32Array.from({ length: batch * noise }, () => normal(random));

/** The parameters with these biases of all heads' columns in place of theirs: logits that every noise vector shares. */
export const withHeadBias = (shape: NetworkShape, parameters: Float32Array, bias: ArrayLike<number>): Float32Array => {
  const heads = layersOf(shape)[shape.hidden.length];
  const changed = parameters.slice();
  changed.set(bias, heads.bias);
  return changed;
};
