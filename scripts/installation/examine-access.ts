import { openDb } from "@/db/client";
import { countClearHashes } from "@/db/queries/merchants/key-hashes";
import { bad, type Finding, good } from "@/scripts/installation/finding";

/** Reports API keys whose hash an earlier version stored unencrypted; reports nothing if the schema is older than that check. */
export async function examineKeyHashes(url: string): Promise<Finding[]> {
  const about = "API keys";
  const pool = openDb(url, { work: "pages", max: 1, applicationName: "stablegate-doctor" });
  try {
    const count = await countClearHashes(pool.db);
    if (count === 0) return [good(about, "their hashes are encrypted")];
    return [
      bad(
        about,
        `the hashes of ${count} are stored unencrypted, because an earlier version needs them: with such a hash, anyone who can read the database can sign plugin v1 callbacks`,
        "Stop all processes of earlier versions and run a worker of this version: it removes the hashes an hour later (docs/running.md).",
      ),
    ];
  } catch {
    // Problems with the database or its schema are reported by examineDatabase.
    return [];
  } finally {
    await pool.close();
  }
}

/** Reports whether web and worker sign in to the database with more rights than they need. */
export async function examineRole(url: string): Promise<Finding[]> {
  const pool = openDb(url, { work: "pages", max: 1, applicationName: "stablegate-doctor" });
  try {
    const [row] = await pool.sql<{ name: string; is_superuser: boolean; is_owner: boolean; is_admin: boolean }[]>`
      select rolname as name, rolsuper as is_superuser, rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as is_admin,
        exists (select from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
          and pg_has_role(r.oid, c.relowner, 'usage')) as is_owner
      from pg_roles r where rolname = current_user`;
    if (!row) return [];
    const about = `Database role ${row.name}`;
    if (!row.is_superuser && !row.is_owner && !row.is_admin)
      return [good(about, "it can read and write rows but not change tables")];
    const right = row.is_superuser
      ? "is a superuser"
      : row.is_owner
        ? "owns the tables"
        : "may create roles or databases, or replicate the server";
    return [
      bad(
        about,
        `the web process and the worker connect with it, and it ${right}`,
        "Set DATABASE_OWNER_URL to the current DATABASE_URL, and DATABASE_URL to a separate role; then run npm run migrate (docs/running.md).",
      ),
    ];
  } catch {
    // Problems with the database or its schema are reported by examineDatabase.
    return [];
  } finally {
    await pool.close();
  }
}
