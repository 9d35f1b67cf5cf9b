// Softmax heads of a network, and products of heads row by row, f32. Rows lie `stride` elements apart; the sizes of the heads (u32) are a
// list in memory, and their columns lie one after the other.
import { expDown } from './exp-single';

/** Each head of each row becomes a distribution: x = exp(x) / sum of exp(x). */
export function softmaxHeads(x: usize, stride: usize, rows: usize, sizes: usize, heads: usize): void {
  const last = sizes + (heads << 2);
  for (; rows > 0; rows--) {
    let at = x;
    for (let head = sizes; head < last; head += 4) {
      const end = at + (load<u32>(head) << 2);
      let most = load<f32>(at);
      for (let i = at + 4; i < end; i += 4) {
        const y = load<f32>(i);
        if (y > most) most = y;
      }
      for (; at < end; at += 4) store<f32>(at, load<f32>(at) - most);
    }
    const columns = at - x;
    const whole = x + (columns & ~15);
    let i = x;
    for (; i < whole; i += 16) v128.store(i, expDown(v128.load(i)));
    for (; i < at; i += 4) store<f32>(i, f32x4.extract_lane(expDown(v128.load32_splat(i)), 0));
    at = x;
    for (let head = sizes; head < last; head += 4) {
      const end = at + (load<u32>(head) << 2);
      let sum: f32 = 0;
      for (i = at; i < end; i += 4) sum += load<f32>(i);
      const factor: f32 = 1 / sum;
      for (; at < end; at += 4) store<f32>(at, load<f32>(at) * factor);
    }
    x += stride << 2;
  }
}

/** Gradients by probabilities p become gradients by what softmax took: g = p (g - sum of p g), head by head. */
export function softmaxBack(p: usize, stride: usize, g: usize, gStride: usize, rows: usize, sizes: usize, heads: usize): void {
  const last = sizes + (heads << 2);
  for (; rows > 0; rows--) {
    let at: usize = 0;
    for (let head = sizes; head < last; head += 4) {
      const end = at + (load<u32>(head) << 2);
      let sum: f32 = 0;
      for (let i = at; i < end; i += 4) sum += load<f32>(p + i) * load<f32>(g + i);
      for (; at < end; at += 4) store<f32>(g + at, load<f32>(p + at) * (load<f32>(g + at) - sum));
    }
    p += stride << 2;
    g += gStride << 2;
  }
}

/** Four columns of a row's products: those of `four` numbers of the right with every number of the left. */
// @ts-ignore: decorator
@inline
function fourColumns(left: usize, leftEnd: usize, four: v128, target: usize, step: usize): void {
  for (; left < leftEnd; left += 4) {
    v128.store(target, f32x4.mul(v128.load32_splat(left), four));
    target += step;
  }
}

/**
 * target[r][i * columns + j] = left[r][i] * right[r][j]; rows of the target follow each other. Columns are made four by four: the last four
 * once more where they are not a multiple.
 */
export function outerRows(
  left: usize, leftStride: usize, leftCells: usize,
  right: usize, rightStride: usize, rightCells: usize,
  target: usize, rows: usize,
): void {
  const end = rightCells << 2;
  for (; rows > 0; rows--) {
    const leftEnd = left + (leftCells << 2);
    let j: usize = 0;
    for (; j + 32 <= end; j += 32) {
      const first = v128.load(right + j);
      const second = v128.load(right + j, 16);
      let to = target + j;
      for (let i = left; i < leftEnd; i += 4) {
        const factor = v128.load32_splat(i);
        v128.store(to, f32x4.mul(factor, first));
        v128.store(to, f32x4.mul(factor, second), 16);
        to += end;
      }
    }
    if (j + 16 <= end) {
      fourColumns(left, leftEnd, v128.load(right + j), target + j, end);
      j += 16;
    }
    if (j < end && end >= 16) {
      j = end - 16;
      fourColumns(left, leftEnd, v128.load(right + j), target + j, end);
      j = end;
    }
    for (; j < end; j += 4) {
      const own = load<f32>(right + j);
      let to = target + j;
      for (let i = left; i < leftEnd; i += 4) {
        store<f32>(to, load<f32>(i) * own);
        to += end;
      }
    }
    target += leftCells * end;
    left += leftStride << 2;
    right += rightStride << 2;
  }
}

/** Adds the gradients by the two factors of `outerRows`, given those by its target. */
export function outerBack(
  left: usize, leftStride: usize, leftCells: usize,
  right: usize, rightStride: usize, rightCells: usize,
  gradient: usize, leftGradient: usize, leftGradientStride: usize, rightGradient: usize, rightGradientStride: usize, rows: usize,
): void {
  const whole = (rightCells & ~3) << 2;
  const end = rightCells << 2;
  for (; rows > 0; rows--) {
    for (let i: usize = 0; i < leftCells; i++) {
      const factor = load<f32>(left + (i << 2));
      const four = f32x4.splat(factor);
      let sums = f32x4.splat(0);
      let j: usize = 0;
      for (; j < whole; j += 16) {
        const g = v128.load(gradient + j);
        sums = f32x4.add(sums, f32x4.mul(g, v128.load(right + j)));
        v128.store(rightGradient + j, f32x4.add(v128.load(rightGradient + j), f32x4.mul(four, g)));
      }
      let sum =
        f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) + (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
      for (; j < end; j += 4) {
        const g = load<f32>(gradient + j);
        sum += g * load<f32>(right + j);
        store<f32>(rightGradient + j, load<f32>(rightGradient + j) + factor * g);
      }
      store<f32>(leftGradient + (i << 2), load<f32>(leftGradient + (i << 2)) + sum);
      gradient += end;
    }
    left += leftStride << 2;
    right += rightStride << 2;
    leftGradient += leftGradientStride << 2;
    rightGradient += rightGradientStride << 2;
  }
}
