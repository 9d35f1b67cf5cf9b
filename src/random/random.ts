/**
 * A stream of uniform random 32-bit words. Everything random in Surmise takes one as an argument: seeded for sampling,
 * workloads and demo data, cryptographic (`Entropy`) wherever privacy depends on it.
 */
export interface Random {
  /** The next word, an integer in [0, 2^32). */
  uint32(): number;
}
