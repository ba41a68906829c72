import { once } from "node:events";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import postgres from "postgres";
import { serverUrls } from "@/lib/domain/database-url";

type Options = postgres.Options<Record<string, postgres.PostgresType>> & {
  /** Seconds that a server may be silent while it owes an answer; then its connection is taken for lost. */
  answer_timeout?: number;
};

const LOOK_MS = 5_000;
/** Once one says that it takes writes, the others have so long to say the same. */
const OTHERS_MS = 500;
const LONGEST_BACKOFF_S = 1;
const KEEP_ALIVE_S = 5;

/**
 * Opens the driver on a URL that names one server or several of one database: then every new connection goes to the one that takes
 * writes at that moment. The driver's own search for it tries them in turn without a rest and never tells that none was found.
 * Nothing connects before the first query.
 */
export function openDriver(url: string, options: Options): postgres.Sql {
  const urls = serverUrls(url);
  const all = { backoff, keep_alive: KEEP_ALIVE_S, ...options };
  if (urls.length === 1) return repaired(postgres(url, all));
  const find = createPrimaryFinder(urls);
  const socket = () => connectWith(find);
  return repaired(postgres(urls[0] ?? url, { ...all, target_session_attrs: "primary", socket } as Options));
}

/**
 * As it is published, the driver ends the process, or writes what a lost transaction still says into another one, when a
 * connection breaks in the middle of a transaction (docs/adr/0021-a-repaired-driver.md).
 */
function repaired(sql: postgres.Sql): postgres.Sql {
  if ("isRepaired" in sql) return sql;
  throw new Error(
    "The PostgreSQL driver lacks the repairs of the folder patches: npm was told to run no scripts when it installed. Run `npm run postinstall` in the project's folder, then start again.",
  );
}

/** A server that is back serves again within a second, however long it was away. */
function backoff(failures: number): number {
  return (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, LONGEST_BACKOFF_S);
}

/** None of the servers that a URL names takes writes: they are away, or each follows another. */
class NoPrimary extends Error {
  override readonly name = "NoPrimary";
  readonly code = "NO_PRIMARY";
}

/**
 * Finds the server that takes writes; who asks while a look is under way hears its answer. Of several the one of the youngest
 * timeline counts, and none of an older timeline than was seen before: a promotion left that one behind.
 */
function createPrimaryFinder(urls: readonly string[]): () => Promise<string> {
  let youngest = 0;
  let looking: Promise<string> | null = null;
  async function find(): Promise<string> {
    const seen = await lookAtAll(urls);
    const primaries = seen.filter(({ timeline }) => timeline !== null && timeline >= youngest);
    const [best] = primaries.toSorted((one, other) => (other.timeline ?? 0) - (one.timeline ?? 0));
    if (best) youngest = best.timeline ?? youngest;
    else throw new NoPrimary(`No server of the database takes writes: ${seen.map(wordsOf).join(", ")}`);
    return best.url;
  }
  return () => {
    looking ??= find().finally(() => {
      looking = null;
    });
    return looking;
  };
}

interface Seen {
  url: string;
  /** Null where it is no primary. */
  timeline: number | null;
  problem: string;
}

function wordsOf({ url, timeline, problem }: Seen): string {
  const why = timeline === null ? problem : `left behind at timeline ${timeline} when another was promoted`;
  return `${new URL(url).host} (${why})`;
}

/** At most as long as a look takes, and hardly longer than the first primary needs to answer. */
async function lookAtAll(urls: readonly string[]): Promise<Seen[]> {
  const seen: Seen[] = urls.map((url) => ({ url, timeline: null, problem: "no answer yet" }));
  const looks = seen.map(async (one) => {
    Object.assign(one, await look(one.url));
    if (one.timeline === null) throw new NoPrimary(one.problem);
  });
  const all = Promise.allSettled(looks);
  await Promise.any(looks).then(
    () => Promise.race([all, elapse(OTHERS_MS)]),
    () => all,
  );
  return seen;
}

/** Over a connection of its own, which ends. Never rejects. */
async function look(url: string): Promise<Pick<Seen, "timeline" | "problem">> {
  const sql = postgres(url, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: LOOK_MS / 1_000,
    onnotice: () => {},
    connection: { application_name: "stablegate-look" },
  });
  const asking = sql<{ timeline: number | null }[]>`
    select case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;
  try {
    const rows = await Promise.race([asking, elapse(LOOK_MS)]);
    if (!rows) return { timeline: null, problem: "no answer" };
    return { timeline: rows[0]?.timeline ?? null, problem: "a standby" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { timeline: null, problem: code || String(error) };
  } finally {
    asking.catch(() => {});
    void sql.end({ timeout: 0 });
  }
}

/** A connection to the server that was found. Never rejects: the driver would lose the connection's place in its pool. */
async function connectWith(find: () => Promise<string>): Promise<Duplex> {
  try {
    const { hostname, port } = new URL(await find());
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect({ host, port: Number(port || 5432) });
    const timer = setTimeout(() => socket.destroy(new NoPrimary(`${host} does not answer`)), LOOK_MS);
    await once(socket, "connect").finally(() => clearTimeout(timer));
    // By this name the driver asks for the server's certificate.
    return Object.assign(socket, { host });
  } catch (error) {
    return brokenSocket(error as Error);
  }
}

/** It fails when the driver first writes to it: earlier, the driver would keep what it wanted to write for the next one. */
function brokenSocket(error: Error): Duplex {
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(error) });
}

function elapse(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
