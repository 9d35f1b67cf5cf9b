/** What one release took before AIM's rounds were made for wide and for nearly deterministic tables. */
export interface Before {
  readonly seconds: number;
  readonly processor: number;
  readonly model: number;
  readonly bytes: number;
}

/** By shape, one run each with other work on the machine; those that are missing did not end, or were not run. */
export const before: Readonly<Record<string, Before | undefined>> = {
  loans: { seconds: 130.6, processor: 14.3, model: 0.0823, bytes: 231_092_224 },
};
