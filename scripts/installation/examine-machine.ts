import { lookup } from "node:dns/promises";
import { access, statfs } from "node:fs/promises";
import { connect, isIP, type Socket } from "node:net";
import path from "node:path";
import { connect as connectTls } from "node:tls";
import { openDb } from "@/db/client";
import { ForeignSchema } from "@/db/migrate";
import { findSchemaState, type SchemaState } from "@/db/schema-state";
import { MIN_POSTGRES_VERSION, serverVersionProblem } from "@/db/server-version";
import { serverNames, serverUrls } from "@/lib/domain/database-url";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { findSecretProblem } from "@/lib/merchants/check-app-secret";
import { bad, describeError, type Finding, good } from "@/scripts/installation/finding";

const TIMEOUT_MS = 10_000;
const CLOCK_MS = 2_000;
const MIN_DAYS = 14;
const MIN_BYTES = 1_000_000_000;
const DAY_MS = 86_400_000;

/** Checks that the database is reachable and that its schema matches this version, and checks its version and clock. */
export async function examineDatabase(url: string, folder: string, now: () => Date): Promise<Finding[]> {
  const about = `Database, ${serverNames(url)}`;
  const pool = openDb(url, { work: "pages", max: 1, applicationName: "stablegate-doctor" });
  try {
    const [row] = await pool.sql<{ version: number; ms: number; commit: string; standbys: string }[]>`
      select current_setting('server_version_num')::int as version, (extract(epoch from clock_timestamp()) * 1000)::float8 as ms,
        current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') as standbys`;
    if (!row) return [bad(about, "it does not respond", "Check its log.")];
    const major = Math.floor(row.version / 10_000);
    const aside = Math.abs(row.ms - now().getTime());
    return [
      serverVersionProblem(row.version)
        ? bad(about, `it is PostgreSQL ${major}`, `Upgrade it to PostgreSQL ${MIN_POSTGRES_VERSION} or newer.`)
        : good(about, `PostgreSQL ${major} responds`),
      aside > CLOCK_MS
        ? bad(
            about,
            `the clocks of the server and of this machine differ by ${Math.round(aside / 1_000)} s`,
            "Set both clocks: timedatectl set-ntp true",
          )
        : good(about, "its clock agrees with this machine's"),
      examineSchema(about, await findSchemaState(pool.db, folder)),
      ...(serverUrls(url).length > 1 ? [examineStandbys(about, row)] : []),
    ];
  } catch (error) {
    return [
      bad(
        about,
        `it cannot be reached (${describeError(error)})`,
        "Check whether it is running and whether DATABASE_URL is correct.",
      ),
    ];
  } finally {
    await pool.close();
  }
}

function examineSchema(about: string, state: SchemaState): Finding {
  switch (state.kind) {
    case "current":
      return good(about, "its schema matches this version");
    case "empty":
      return bad(about, "it has no tables of Stablegate yet", MIGRATE);
    case "older":
      return bad(about, `its schema is older than this version (migrations not applied: ${state.pending})`, MIGRATE);
    case "newer":
      return good(
        about,
        `its schema is newer than this version (migrations that this version does not have: ${state.unknown}). This version can use it only if it directly precedes the newer version; otherwise install the newer one again`,
      );
    case "foreign": {
      const [what = "", remedy = ""] = new ForeignSchema().message.split(/(?<=\.) /);
      return bad(about, what, `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`);
    }
  }
}

const MIGRATE = "Run: npm run migrate (npm start does so too)";

/** Checks that an acknowledged order is also stored on a second server. */
function examineStandbys(about: string, { commit, standbys }: { commit: string; standbys: string }): Finding {
  if (standbys === "")
    return bad(
      about,
      "no standby is synchronous: the last acknowledged writes can be lost if this server fails",
      "Set synchronous_standby_names on it, as described in docs/scaling.md.",
    );
  if (commit === "on" || commit === "remote_apply")
    return good(about, `its commits wait for a standby (synchronous_standby_names = ${standbys})`);
  return bad(
    about,
    `its commits do not wait until a standby has written them to disk (synchronous_commit = ${commit})`,
    "alter system set synchronous_commit = 'on'; select pg_reload_conf();",
  );
}

/** Checks that the host name of PUBLIC_URL resolves, and for how many days its certificate is valid. */
export async function examinePublicUrl(publicUrl: string, now: () => Date): Promise<Finding[]> {
  const url = new URL(publicUrl);
  const about = `PUBLIC_URL, ${url.host}`;
  try {
    const addresses = await lookup(url.hostname, { all: true });
    const dns = good(about, `its name resolves to ${addresses.map(({ address }) => address).join(", ")}`);
    return [
      dns,
      url.protocol === "https:" ? await examineCertificate(about, url, now) : await examinePlain(about, url),
    ];
  } catch (error) {
    return [
      bad(
        about,
        `its name cannot be resolved (${describeError(error)})`,
        "Add an A or AAAA record for it, or correct PUBLIC_URL.",
      ),
    ];
  }
}

async function examinePlain(about: string, { hostname }: URL): Promise<Finding> {
  const isLocal = hostname === "localhost" || hostname.startsWith("127.");
  return isLocal
    ? good(about, "plain http, on this machine only")
    : bad(
        about,
        "it uses plain http, so anyone on the path can read and change it",
        "Set up a reverse proxy with TLS, and set PUBLIC_URL to its https address.",
      );
}

async function examineCertificate(about: string, { hostname, port }: URL, now: () => Date): Promise<Finding> {
  const socket = connectTls({
    host: hostname,
    port: Number(port || 443),
    ...(isIP(hostname) === 0 && { servername: hostname }),
  });
  try {
    await connected(socket, "secureConnect");
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now().getTime()) / DAY_MS);
    return days < MIN_DAYS
      ? bad(
          about,
          `its certificate is valid for ${days} more days`,
          "Check why it was not renewed (log of Caddy or certbot).",
        )
      : good(about, `its certificate is valid for ${days} more days`);
  } catch (error) {
    return bad(
      about,
      `no TLS connection (${describeError(error)})`,
      "Check whether the reverse proxy is running, port 443 is open, and the certificate is for this name.",
    );
  } finally {
    socket.destroy();
  }
}

/** Checks that the mail server accepts a connection. Sends no email. */
export async function examineSmtp(smtpUrl: string | null): Promise<Finding> {
  if (!smtpUrl) return good("SMTP", "no mail server is set; the back office offers only Telegram and webhooks");
  const url = new URL(smtpUrl);
  const isTls = url.protocol === "smtps:";
  const to = { host: url.hostname, port: Number(url.port || (isTls ? 465 : 587)) };
  const socket = isTls
    ? connectTls({ ...to, ...(isIP(url.hostname) === 0 && { servername: url.hostname }) })
    : connect(to);
  try {
    await connected(socket, "data");
    return good(`SMTP, ${url.host}`, "it answers");
  } catch (error) {
    return bad(
      `SMTP, ${url.host}`,
      `it does not respond (${describeError(error)})`,
      "Check SMTP_URL, and whether this machine's provider blocks the port.",
    );
  } finally {
    socket.destroy();
  }
}

/** Checks the free disk space for the data and the dumps. */
export async function examineDisk(folder: string): Promise<Finding> {
  const existing = await nearest(folder);
  const { bavail, bsize } = await statfs(existing);
  const gigabytes = ((bavail * bsize) / 1e9).toFixed(1);
  return bavail * bsize < MIN_BYTES
    ? bad(
        `Disk, ${existing}`,
        `${gigabytes} GB are free`,
        "Free some space: PostgreSQL stops writing when the disk is full.",
      )
    : good(`Disk, ${existing}`, `${gigabytes} GB are free`);
}

async function nearest(folder: string): Promise<string> {
  return access(folder).then(
    () => folder,
    () => nearest(path.dirname(folder)),
  );
}

function connected(socket: Socket, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(TIMEOUT_MS, () => reject(new Error(`no response within ${TIMEOUT_MS / 1_000} s`)));
    socket
      .once(event, () => resolve())
      .once("error", reject)
      .once("close", () => reject(new Error("it closed the connection")));
  });
}

/** Reports whether APP_SECRET is the secret of the installation; reports nothing if the schema is older than that check. */
export async function examineSecret(url: string, appSecret: AppSecret): Promise<Finding[]> {
  const pool = openDb(url, { work: "pages", max: 1, applicationName: "stablegate-doctor" });
  try {
    const problem = await findSecretProblem(pool.db, appSecret);
    const [what, ...remedy] = problem?.split(/(?<=\.) /) ?? [];
    return [
      what ? bad("APP_SECRET", what, remedy.join(" ")) : good("APP_SECRET", "it is the secret of this installation"),
    ];
  } catch {
    // Problems with the database or its schema are reported by examineDatabase.
    return [];
  } finally {
    await pool.close();
  }
}
