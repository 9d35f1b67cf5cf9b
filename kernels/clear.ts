// A loop and not memory.fill, which checks the size of the memory as this instance knows it: an instance on another thread may
// learn late that the memory has grown.
export function clear(address: usize, bytes: usize): void {
  const zero = i64x2.splat(0);
  const whole = address + (bytes & ~15);
  const end = address + bytes;
  for (; address < whole; address += 16) v128.store(address, zero);
  for (; address < end; address++) store<u8>(address, 0);
}
