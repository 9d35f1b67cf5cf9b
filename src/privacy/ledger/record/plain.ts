/** What a record of a ledger may hold when it is written; undefined members are left out. */
export type Plain = null | boolean | number | string | undefined | readonly Plain[] | { readonly [key: string]: Plain };
