/** 32 hexadecimal digits that nobody else draws: a name, not a secret, so it never comes from the noise's generator. */
export const randomName = (): string => {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
