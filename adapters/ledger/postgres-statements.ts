/** A name as SQL writes it. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * The table of ledgers. Its schema is always named: two roles whose search paths differ would see two tables, and so two budgets
 * for one dataset.
 */
export const tableOf = (schema: string): string => `${quoted(schema)}.surmise_ledger`;

/**
 * What makes the table, in one transaction; each part may be there already. Rows come and stay: nobody changes or removes one, not
 * even its owner by mistake.
 */
export const makeStatement = (schema: string): string => `
  CREATE TABLE IF NOT EXISTS ${tableOf(schema)} (
    ledger text NOT NULL CHECK (ledger <> ''),
    starts bigint NOT NULL CHECK (starts >= 0),
    line bytea NOT NULL CHECK (length(line) > 0),
    PRIMARY KEY (ledger, starts)
  );
  CREATE OR REPLACE FUNCTION ${quoted(schema)}.surmise_ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION USING ERRCODE = ''42501'', MESSAGE = ''a ledger only grows''; END';
  CREATE OR REPLACE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON ${tableOf(schema)}
    FOR EACH STATEMENT EXECUTE FUNCTION ${quoted(schema)}.surmise_ledger_only_grows()`;

/** Every row from the one that holds byte $2 on. */
export const readStatement = (schema: string): string => `
  SELECT starts, line FROM ${tableOf(schema)}
  WHERE ledger = $1 AND starts >= coalesce(
    (SELECT max(starts) FROM ${tableOf(schema)} WHERE ledger = $1 AND starts <= $2), 0)
  ORDER BY starts`;

export const rowStatement = (schema: string): string =>
  `SELECT line FROM ${tableOf(schema)} WHERE ledger = $1 AND starts = $2`;

/**
 * Adds a row, and gives it back; gives nothing where the server would not keep it. The commit waits for the disk whatever the role or the database was
 * set to, within this one statement, so that a pool of connections between here and there changes nothing.
 */
export const appendStatement = (schema: string): string => `
  INSERT INTO ${tableOf(schema)} (ledger, starts, line)
  SELECT $1::text, $2::bigint, $3::bytea
  WHERE set_config('synchronous_commit',
      CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true) <> 'off'
    AND current_setting('fsync') = 'on'
    AND (SELECT relpersistence = 'p' FROM pg_catalog.pg_class WHERE oid = to_regclass($4))
  RETURNING starts`;
