import type { KernelCall } from '../../kernel/kernels.js';
import type { GeneratorLayout, Piece } from './layout.js';
import { headColumns, innerColumns, type Layer, layersOf, type NetworkShape } from './network-shape.js';

/** The rows of a piece in a matrix of so many columns. */
const rowsAt = (address: number, columns: number, { from }: Piece): number => address + 4 * from * columns;

/** Calls that make the probabilities of all heads of the rows of a piece. */
export const forwardCalls = (shape: NetworkShape, layout: GeneratorLayout, piece: Piece): KernelCall[] => {
  const [columns, width] = [innerColumns(shape), headColumns(shape)];
  const inner = rowsAt(layout.inner.address, columns, piece);
  const heads = rowsAt(layout.probabilities.address, width, piece);
  const layers = layersOf(shape);
  const dense = ({ inputs, outputs, weights, bias }: Layer, target: number, stride: number, least: number) => {
    const at = layout.parameters.address;
    return [
      [
        'gemm',
        inner,
        columns,
        1,
        at + 4 * weights,
        outputs,
        1,
        target,
        stride,
        piece.rows,
        outputs,
        inputs,
        0,
        piece.scratch,
      ],
      ['biasMax', target, stride, at + 4 * bias, least, piece.rows, outputs],
    ] satisfies KernelCall[];
  };
  return [
    ...layers.slice(0, -1).flatMap((layer) => dense(layer, inner + 4 * layer.inputs, columns, 0)),
    ...dense(layers[layers.length - 1], heads, width, Number.NEGATIVE_INFINITY),
    ['softmaxHeads', heads, width, piece.rows, layout.sizes.address, shape.heads.length],
  ];
};

/** Calls that turn the gradients by the heads' probabilities, for the rows of a piece, into its part of the gradients by parameters. */
export const backwardCalls = (shape: NetworkShape, layout: GeneratorLayout, piece: Piece): KernelCall[] => {
  const { noise } = shape;
  const [columns, width] = [innerColumns(shape), headColumns(shape)];
  const inner = rowsAt(layout.inner.address, columns, piece);
  const innerGradients = rowsAt(layout.innerGradients.address, columns - noise, piece);
  const heads = rowsAt(layout.probabilities.address, width, piece);
  const headGradients = rowsAt(layout.gradients.address, width, piece);
  const own = layout.parameterGradients.address + 4 * layout.parameters.length * piece.index;
  const { rows, scratch } = piece;
  /** From the gradient g by a layer's outputs: that by its weights, its bias, and its inputs but the noise. */
  const dense = ({ inputs, outputs, weights, bias }: Layer, g: number, stride: number, add: number): KernelCall[] => {
    const from = layout.parameters.address + 4 * (weights + noise * outputs);
    return [
      ['gemm', inner, 1, columns, g, stride, 1, own + 4 * weights, outputs, inputs, outputs, rows, 0, scratch],
      ['sumRows', g, stride, rows, outputs, own + 4 * bias],
      [
        'gemm',
        g,
        stride,
        1,
        from,
        1,
        outputs,
        innerGradients,
        columns - noise,
        rows,
        inputs - noise,
        outputs,
        add,
        scratch,
      ],
    ];
  };
  const hidden = layersOf(shape);
  const last = hidden.pop()!;
  return [
    ['softmaxBack', heads, width, headGradients, width, rows, layout.sizes.address, shape.heads.length],
    ...dense(last, headGradients, width, 0),
    ...hidden.reverse().flatMap((layer): KernelCall[] => {
      const g = innerGradients + 4 * (layer.inputs - noise);
      const stride = columns - noise;
      return [
        ['maskBelow', g, stride, inner + 4 * layer.inputs, columns, rows, layer.outputs],
        ...dense(layer, g, stride, 1),
      ];
    }),
  ];
};
