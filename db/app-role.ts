import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { isDenied } from "@/db/failure";
import { type Credentials, credentialsOf } from "@/lib/domain/database-url";

/** The role of web and worker processes on a server that Stablegate runs itself. */
const APP_ROLE = "stablegate_app";

/** The role that web and worker processes sign in as. It can only read and write rows (docs/adr/0027-two-database-roles.md). */
export interface AppRole extends Credentials {
  /** True if an existing role gets the password too. */
  replacesPassword?: boolean;
}

/** The error that is thrown if the role of web and worker processes is missing and the owner may not create it. */
export class AppRoleError extends Error {
  override readonly name = "AppRoleError";
  constructor(user: string) {
    super(
      `The role ${user} of DATABASE_URL does not exist, and the role of DATABASE_OWNER_URL may not create roles. Run this as an administrator of the server, then npm run migrate again: create role "${user.replaceAll('"', '""')}" login password '…' (use the password in DATABASE_URL). Nothing was changed.`,
    );
  }
}

/**
 * Returns the role that web and worker processes sign in as; null if they sign in as the owner.
 * @param url the URL of web and worker processes
 * @param ownerUrl the URL of `migrate`
 */
export function appRoleOf(url: string, ownerUrl: string): AppRole | null {
  const role = credentialsOf(url);
  return role.user === credentialsOf(ownerUrl).user ? null : role;
}

/**
 * Returns the role of web and worker processes on a server that Stablegate runs itself. Its password is new at each start and is not
 * stored in any file.
 */
export function newAppRole(): AppRole {
  return { user: APP_ROLE, password: randomBytes(24).toString("base64url"), replacesPassword: true };
}

/**
 * Creates the role if it is missing, and grants it the rights that web and worker processes need in the current schema: on the rows of all
 * tables except the list of migrations, on sequences and on functions. Objects of later migrations are included. The function can be
 * called repeatedly: existing grants are not repeated.
 * @throws AppRoleError
 */
export async function grantToApp(tx: Db, role: AppRole): Promise<void> {
  await createRole(tx, role);
  for (const { statement } of await tx.execute<{ statement: string }>(missingGrants(role.user)))
    await tx.execute(sql.raw(statement));
}

async function createRole(tx: Db, { user, password, replacesPassword = false }: AppRole): Promise<void> {
  const [found] = await tx.execute(sql`select from pg_roles where rolname = ${user}`);
  if (found && !replacesPassword) return;
  const verifier = password === null ? null : scramVerifier(password);
  const [row] = await tx.execute<{ statement: string }>(sql`
    select format(${found ? "alter role %I password %L" : "create role %I login password %L"}, ${user}::text, ${verifier}::text) as statement`);
  try {
    await tx.execute(sql.raw(row?.statement ?? ""));
  } catch (error) {
    throw isDenied(error) ? new AppRoleError(user) : error;
  }
}

/** Returns the statements that grant the rights that a role lacks, and that revoke the rights of PUBLIC that it does not need. */
function missingGrants(user: string): SQL {
  const role = sql`${user}::text`;
  const schema = sql`current_schema()`;
  const lacks = (...kinds: string[]) =>
    sql.join(
      kinds.map((kind) => sql`not has_table_privilege(${role}, c.oid, ${kind})`),
      sql` or `,
    );
  const isTable = sql`c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p')`;
  return sql`
    select format('grant usage on schema %I to %I', ${schema}, ${role}) as statement
      where not has_schema_privilege(${role}, ${schema}, 'usage')
    union all select format('revoke create on schema %I from public', ${schema}) from pg_namespace n
      where n.nspname = ${schema} and pg_has_role(current_user, n.nspowner, 'usage') and has_schema_privilege(${role}, ${schema}, 'create')
    union all select format('revoke temporary on database %I from public', d.datname) from pg_database d
      where d.datname = current_database() and pg_has_role(current_user, d.datdba, 'usage')
        and has_database_privilege(${role}, d.oid, 'temporary')
    union all select format('grant connect on database %I to %I', d.datname, ${role}) from pg_database d
      where d.datname = current_database() and not has_database_privilege(${role}, d.oid, 'connect')
    union all select format('grant select, insert, update, delete on %I.%I to %I', ${schema}, c.relname, ${role}) from pg_class c
      where ${isTable} and c.relname <> 'schema_migrations' and (${lacks("select", "insert", "update", "delete")})
    union all select format('grant select on %I.%I to %I', ${schema}, c.relname, ${role}) from pg_class c
      where ${isTable} and c.relname = 'schema_migrations' and ${lacks("select")}
    union all select format('grant usage, select on sequence %I.%I to %I', ${schema}, c.relname, ${role}) from pg_class c
      where c.relnamespace = ${schema}::regnamespace and c.relkind = 'S'
        and not (has_sequence_privilege(${role}, c.oid, 'usage') and has_sequence_privilege(${role}, c.oid, 'select'))
    union all select format('grant execute on function %s to %I', p.oid::regprocedure, ${role}) from pg_proc p
      where p.pronamespace = ${schema}::regnamespace and p.prokind = 'f' and not has_function_privilege(${role}, p.oid, 'execute')
    union all select format('alter default privileges in schema %I grant %s to %I', ${schema}, kinds.what, ${role})
      from (values ('r', 'select, insert, update, delete on tables'), ('S', 'usage, select on sequences'), ('f', 'execute on functions'))
        as kinds (kind, what)
      where not exists (
        select from pg_default_acl d cross join aclexplode(d.defaclacl) a
        where d.defaclrole = current_user::regrole and d.defaclnamespace = ${schema}::regnamespace
          and d.defaclobjtype::text = kinds.kind and a.grantee = (select oid from pg_roles where rolname = ${role}))`;
}

const ITERATIONS = 4096;

/**
 * Returns the SCRAM verifier that PostgreSQL stores for a password (RFC 5802), so that no statement and no log of the
 * server contains the password itself.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize("NFKC"), salt, ITERATIONS, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const serverKey = keyOf("Server Key").toString("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
