/** What one release took before AIM's rounds were made for wide and for nearly deterministic tables. */
export interface Before {
  readonly seconds: number;
  readonly processor: number;
  readonly model: number;
  readonly bytes: number;
}

/** By shape; those that are missing had not ended within 20 minutes. */
export const before: Readonly<Record<string, Before | undefined>> = {};
