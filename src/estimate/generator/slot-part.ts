import type { KernelCall } from '../../kernel/kernels.js';
import { type HeadColumns, headProduct, type Part, type Place, type PlacedPart, wipe } from './part.js';

/** What is counted of the persons of a household. */
export interface SlotHeads {
  /** The chances of 1, 2, ... persons. */
  readonly sizes: HeadColumns;
  /** For each slot the heads of the attributes that are asked about. Those of successive slots lie equally far apart. */
  readonly slots: readonly (readonly HeadColumns[])[];
  /** Whether a household counts once in a cell where it has somebody, or each of its persons does. */
  readonly once: boolean;
  /** Whether households are told apart by their number of persons: then there is a list of cells for each. */
  readonly bySize: boolean;
}

/** How many elements the places of slots lie apart. */
const stepOf = (places: readonly (Place | undefined)[]): number =>
  places[0] === undefined || places[1] === undefined ? 0 : (places[1].address - places[0].address) / 4;

/**
 * H-GEM, section 4.2, behind the product of household attributes: with p_j the product of the asked person attributes' probabilities in slot j, the sum
 * over m of P(m) (1 - product over j <= m of (1 - p_j)), or of P(m) times the sum over j <= m of p_j; or its terms, size by size.
 */
export const slotPart = ({ sizes, slots, once, bySize }: SlotHeads): Part => {
  const maxSize = slots.length;
  const products = slots.map(headProduct);
  const [{ cells: own, room: ownRoom, work }] = products;
  const cells = bySize ? maxSize * own : own;
  const inner = maxSize * ownRoom;
  return {
    cells,
    // Backward, the kernel keeps 16 bytes a slot, for all rows together.
    room: inner + 2 * cells + 4 * maxSize,
    work: maxSize * (work + 8 * own),
    place: (on, room) => {
      const { rows, probabilities, gradients } = on;
      const placed = products.map((part, j): PlacedPart => part.place(on, room + 4 * rows * ownRoom * j));
      const value = room + 4 * rows * inner;
      const gradient = value + 4 * rows * cells;
      const scratch = gradient + 4 * rows * cells;
      const [first] = placed;
      const given = [
        ...[probabilities.address + 4 * sizes.first, probabilities.stride],
        ...[first.value.address, stepOf(placed.map((one) => one.value)), first.value.stride],
        ...[maxSize, own, once ? 1 : 0, bySize ? 1 : 0],
      ];
      const back = [
        ...[gradients.address + 4 * sizes.first, gradients.stride],
        ...[first.gradient?.address ?? 0, stepOf(placed.map((one) => one.gradient)), first.gradient?.stride ?? 0],
      ];
      return {
        forward: [...placed.flatMap(({ forward }) => forward), ['slotRows', ...given, value, rows]],
        value: { address: value, stride: cells },
        gradient: { address: gradient, stride: cells },
        shared: false,
        backward: [
          ...placed.flatMap((one): KernelCall[] => wipe(one, rows * own)),
          ['slotBack', ...given, gradient, ...back, scratch, rows],
          ...placed.flatMap(({ backward }) => backward),
        ],
      };
    },
  };
};
