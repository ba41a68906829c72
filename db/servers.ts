import { once } from "node:events";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import postgres from "postgres";
import { serverUrls } from "@/lib/domain/database-url";

type Options = postgres.Options<Record<string, postgres.PostgresType>> & {
  /** The number of seconds without data from the server, while a statement is pending, after which the connection counts as lost; 0: no limit. */
  answer_timeout?: number;
};

const PROBE_TIMEOUT_MS = 5_000;
/** The time that the other servers have to respond after the first primary was found. */
const OTHERS_TIMEOUT_MS = 500;
const MAX_BACKOFF_S = 1;
const KEEP_ALIVE_S = 5;

/**
 * Opens the driver on a URL that specifies one or more servers of a database. With several servers, each new connection goes to the one
 * that accepts writes at that moment. The driver's own search is not used, because it retries without a pause and never reports that it
 * found none. The first query connects.
 */
export function openDriver(url: string, options: Options): postgres.Sql {
  const urls = serverUrls(url);
  const all = { backoff, keep_alive: KEEP_ALIVE_S, ...options };
  if (urls.length === 1) return postgres(url, all);
  const find = createPrimaryFinder(urls);
  const socket = () => connectWith(find);
  return postgres(urls[0] ?? url, { ...all, target_session_attrs: "primary", socket } as Options);
}

/** Returns the pause before the next connection attempt, in seconds. It is at most one second, so that a recovered server is used soon. */
function backoff(failures: number): number {
  return (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, MAX_BACKOFF_S);
}

/** An error for a URL that lists no server that accepts writes: all are unreachable or standbys. */
class NoPrimary extends Error {
  override readonly name = "NoPrimary";
  readonly code = "NO_PRIMARY";
}

/**
 * Returns a function that finds the server that accepts writes. Concurrent calls share one search. If several servers accept writes, the
 * one with the newest timeline is used. A server whose timeline is older than one seen before was superseded by a promotion.
 */
function createPrimaryFinder(urls: readonly string[]): () => Promise<string> {
  let newest = 0;
  let search: Promise<string> | null = null;
  async function find(): Promise<string> {
    const probes = await probeAll(urls);
    const primaries = probes.filter(({ timeline }) => timeline !== null && timeline >= newest);
    const [best] = primaries.toSorted((one, other) => (other.timeline ?? 0) - (one.timeline ?? 0));
    if (best) newest = best.timeline ?? newest;
    else throw new NoPrimary(`None of the database servers accepts writes: ${probes.map(describeProbe).join(", ")}`);
    return best.url;
  }
  return () => {
    search ??= find().finally(() => {
      search = null;
    });
    return search;
  };
}

interface Probe {
  url: string;
  /** The timeline of a primary; null for any other server. */
  timeline: number | null;
  /** The state of a server that is not a primary: an error code, or a description for the log. */
  state: string;
}

function describeProbe({ url, timeline, state }: Probe): string {
  const reason = timeline === null ? state : `still on timeline ${timeline} after another server was promoted`;
  return `${new URL(url).host} (${reason})`;
}

/** Probes all servers concurrently. Waits for all of them, but only briefly once a primary has responded. */
async function probeAll(urls: readonly string[]): Promise<Probe[]> {
  const probes: Probe[] = urls.map((url) => ({ url, timeline: null, state: "no response yet" }));
  const pending = probes.map(async (probe) => {
    Object.assign(probe, await probeServer(probe.url));
    if (probe.timeline === null) throw new NoPrimary(probe.state);
  });
  const all = Promise.allSettled(pending);
  await Promise.any(pending).then(
    () => Promise.race([all, elapse(OTHERS_TIMEOUT_MS)]),
    () => all,
  );
  return probes;
}

/** Queries one server over a separate connection. Never rejects. */
async function probeServer(url: string): Promise<Pick<Probe, "timeline" | "state">> {
  const sql = postgres(url, {
    max: 1,
    prepare: false,
    fetch_types: false,
    connect_timeout: PROBE_TIMEOUT_MS / 1_000,
    onnotice: () => {},
    connection: { application_name: "stablegate-look" },
  });
  const query = sql<{ timeline: number | null }[]>`
    select case when not pg_is_in_recovery()
      then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;
  try {
    const rows = await Promise.race([query, elapse(PROBE_TIMEOUT_MS)]);
    if (!rows) return { timeline: null, state: "no answer" };
    return { timeline: rows[0]?.timeline ?? null, state: "a standby" };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return { timeline: null, state: code || String(error) };
  } finally {
    query.catch(() => {});
    void sql.end({ timeout: 0 });
  }
}

/**
 * Connects to the server that was found. Never rejects, because a rejection would make the driver lose the connection's slot in its pool.
 */
async function connectWith(find: () => Promise<string>): Promise<Duplex> {
  try {
    const { hostname, port } = new URL(await find());
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect({ host, port: Number(port || 5432) });
    const timer = setTimeout(() => socket.destroy(new NoPrimary(`${host} does not respond`)), PROBE_TIMEOUT_MS);
    await once(socket, "connect").finally(() => clearTimeout(timer));
    // The driver verifies the server's certificate for this name.
    return Object.assign(socket, { host });
  } catch (error) {
    return brokenSocket(error as Error);
  }
}

/** Returns a socket that fails at the driver's first write. If it failed earlier, the driver would send that write on its next socket. */
function brokenSocket(error: Error): Duplex {
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(error) });
}

function elapse(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms).unref());
}
