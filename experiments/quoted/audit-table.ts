import type { Verdict } from '../audit/run-case.js';

/** The verdicts of the audit as docs/results.md tells them, line by line; see `tables.ts`. */
export const auditTable = ({ verdicts }: { readonly verdicts: readonly Verdict[] }): string[] =>
  verdicts.map(({ name, measure, claim, bound, planted, passed }) => {
    const verdict = planted ? (passed ? 'caught' : 'MISSED') : passed ? 'holds' : 'VIOLATED';
    const cells = [name, measure, Number(claim.toFixed(6)), bound.toFixed(4), (bound / claim).toFixed(3), verdict];
    return `| ${cells.join(' | ')} |`;
  });
