import { type SQL, sql } from "drizzle-orm";

/** Many ids as one parameter: `where id = any(…)`, so that a statement's text is the same however many they are. */
export function idList(ids: readonly string[]): SQL {
  return sql`array(select jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`;
}

/** Rows as one parameter, to be read by `jsonb_to_recordset`; base units go as text. */
export function rowList(rows: readonly object[]): SQL {
  const text = JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
  return sql`${text}::text::jsonb`;
}
