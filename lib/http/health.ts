import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { countFailingByNetwork } from "@/db/queries/many-rows";
import { countUnreadableByNetwork } from "@/db/queries/networks/accounts";
import { listCalls } from "@/db/queries/networks/calls";
import { type Cursor, listCursors } from "@/db/queries/networks/cursors";
import { listRateSources, type RateSourceState } from "@/db/queries/rates/rates";
import { countLostByNetwork } from "@/db/queries/transfers/reorgs";
import { getNetwork } from "@/lib/domain/networks";
import { type CallCount, dayOf } from "@/lib/domain/networks/budget";
import { behindBlocks, recentErrors, unreadProblem } from "@/lib/domain/networks/health";
import type { Log } from "@/lib/log";

export interface NetworkHealth {
  /**
   * The number of blocks between the chain's head and the last block read; null before the first reading of the chain. It is estimated
   * from the block time while the network is not being read.
   */
  behind_blocks: number | null;
  /** The times of the last block that was read and of the last response of the node, in Unix seconds. */
  last_block_at: number | null;
  last_heard_at: number | null;
  /** Milliseconds between blocks, as last measured; null before the first measurement. */
  block_ms: number | null;
  /** The time when an operator closed the network, in Unix seconds; null while it is open. */
  closed_at: number | null;
  /** The reason why the network accepts no new orders or is not being read; null if neither applies, or the network is closed. */
  problem: string | null;
  /** A warning that does not affect operation, or null. */
  warning: string | null;
  /** The number of transactions of watched accounts that no endpoint can return. They require manual action. */
  unreadable_transactions: number;
  /** The number of confirmed transfers that a reorg removed and that their merchants have not acknowledged. */
  lost_transfers: number;
  /** The number of orders and transfers whose processing fails. Each is retried, and the log has the reason. */
  failing_rows: number;
  /** The endpoints in the configured order. They are unnamed, because this response is public. */
  endpoints: {
    calls_today: number;
    errors_last_hour: number;
    last_error: string | null;
    last_error_at: number | null;
  }[];
}

export interface RateSourceHealth {
  /** The time when the source last returned a rate, in Unix seconds; null if never. */
  last_read_at: number | null;
  /** The problem of the source, or null. */
  problem: string | null;
}

export interface Health {
  status: "ok" | "degraded" | "down";
  database: "ok" | "away";
  networks: Record<string, NetworkHealth>;
  /** The rate sources that are being read; none while no merchant uses fiat prices. */
  rates: Record<string, RateSourceHealth>;
}

const DEADLINE_MS = 3_000;
const SILENT_MS = 120_000;
const RATES_MAX_AGE_MS = 2 * 3_600_000;
const NO_NUMBER = "The last reading returned no usable rate; the back office shows why";

/**
 * Returns the health of this installation. It is "degraded" if an open network has a problem or is not being read, or if its node has not
 * responded for two minutes. It is also "degraded" if rates are read and no rate source works.
 */
export async function readHealth(
  db: Db,
  rpcUrls: ReadonlyMap<string, readonly string[]>,
  now: Date,
  log: Log,
): Promise<Health> {
  const networks = [...rpcUrls.keys()];
  try {
    const [rows, ...counts] = await Promise.race([readRows(db, networks, now), timeout()]);
    const [unreadable, lost, failing, sources, calls] = counts;
    const rates = ratesOf(sources, now);
    const health = Object.fromEntries(
      networks.map((id) => [
        id,
        toHealth(
          id,
          rows.find((row) => row.network === id),
          { unreadable: unreadable.get(id) ?? 0, lost: lost.get(id) ?? 0, failing: failing.get(id) ?? 0, calls },
          nameless(rpcUrls),
          now,
        ),
      ]),
    );
    const isFine = ({ closed_at, problem, last_heard_at }: NetworkHealth) =>
      closed_at !== null ||
      (problem === null && last_heard_at !== null && now.getTime() - last_heard_at * 1_000 < SILENT_MS);
    const isRated = Object.keys(rates).length === 0 || Object.values(rates).some(({ problem }) => problem === null);
    const status = isRated && Object.values(health).every(isFine) ? "ok" : "degraded";
    return { status, database: "ok", networks: health, rates };
  } catch (error) {
    log.error({ err: error }, "the database is unavailable");
    return { status: "down", database: "away", networks: {}, rates: {} };
  }
}

/** Returns true if the database responds within three seconds. */
export async function answersQueries(db: Db, log: Log): Promise<boolean> {
  try {
    await Promise.race([db.execute(sql`select 1`), timeout()]);
    return true;
  } catch (error) {
    log.error({ err: error }, "the database is unavailable");
    return false;
  }
}

function readRows(db: Db, networks: readonly string[], now: Date) {
  return Promise.all([
    listCursors(db, networks),
    countUnreadableByNetwork(db),
    countLostByNetwork(db),
    countFailingByNetwork(db, now),
    listRateSources(db),
    listCalls(db, dayOf(now)),
  ]);
}

/** Returns the health of the rate sources that are read. Failure messages may contain host names, so they are left out. */
function ratesOf(rows: readonly RateSourceState[], now: Date): Record<string, RateSourceHealth> {
  const read = rows.filter(({ nextAt }) => now.getTime() - nextAt.getTime() < RATES_MAX_AGE_MS);
  return Object.fromEntries(
    read.map(({ source, answeredAt, failure, warning }) => [
      source,
      { last_read_at: seconds(answeredAt), problem: failure === null ? warning : NO_NUMBER },
    ]),
  );
}

function toHealth(
  id: string,
  row: Cursor | undefined,
  counts: { unreadable: number; lost: number; failing: number; calls: readonly CallCount[] },
  hide: (text: string, names: readonly string[]) => string,
  now: Date,
): NetworkHealth {
  const names = (row?.endpoints ?? []).map(({ name }) => name);
  const hidden = (text: string | null | undefined) => (text ? hide(text, names) : null);
  const network = getNetwork(id);
  const hasRead = row && row.height !== null && row.headHeight !== null;
  return {
    behind_blocks: behindBlocks(network, row ?? null, now),
    last_block_at: hasRead ? seconds(row.blockTime) : null,
    last_heard_at: seconds(row?.respondedAt ?? null),
    block_ms: row?.blockMs ?? null,
    closed_at: seconds(row?.closedAt ?? null),
    problem: row?.closedAt ? null : hidden(row?.problem ?? unreadProblem(network, row ?? null, now)),
    warning: hidden(row?.warning),
    unreadable_transactions: counts.unreadable,
    lost_transfers: counts.lost,
    failing_rows: counts.failing,
    endpoints: (row?.endpoints ?? []).map((endpoint) => ({
      calls_today:
        counts.calls.find((one) => one.network === row?.network && one.endpoint === endpoint.name)?.today ?? 0,
      errors_last_hour: recentErrors(endpoint, now),
      last_error: endpoint.last?.kind ?? null,
      last_error_at: endpoint.last && seconds(new Date(endpoint.last.at)),
    })),
  };
}

/**
 * Returns a function that removes the locations of endpoints, which may contain keys, from strings. It removes those in the settings (by
 * URL, host and name), those that the worker stored, and all other URLs.
 */
function nameless(rpcUrls: ReadonlyMap<string, readonly string[]>) {
  const urls = [...rpcUrls.values()].flat().flatMap((text) => {
    const url = URL.parse(text);
    return url ? [text, url.host, url.hostname] : [text];
  });
  return (text: string, names: readonly string[]) => {
    const all = [...new Set([...urls, ...names])].filter(Boolean).toSorted((a, b) => b.length - a.length);
    const bare = all.reduce((text, name) => text.replaceAll(name, "an endpoint"), text);
    return bare.replace(/\b(?:https?|wss?):\/\/[^\s,;)"']+/gi, "an endpoint");
  };
}

function seconds(at: Date | null): number | null {
  return at && Math.floor(at.getTime() / 1_000);
}

function timeout(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`No response within ${DEADLINE_MS} ms`)), DEADLINE_MS).unref();
  });
}
