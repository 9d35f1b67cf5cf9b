/** A word as it is typed in a shell: quoted where the shell would take it for something else. */
export const quoted = (word: string): string =>
  /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
