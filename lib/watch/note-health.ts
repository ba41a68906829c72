import type { Db } from "@/db/client";
import { findCursor, updateEndpoints, updateProblem, updateWarning } from "@/db/queries/networks/cursors";
import { atBlockTime, type Network } from "@/lib/domain/networks";
import { blockTimeWarning } from "@/lib/domain/networks/finality";
import { behindProblem, type EndpointHealth, type NetworkWatch } from "@/lib/domain/networks/health";
import type { Log } from "@/lib/log";

interface Watch {
  owner: string;
  /** Since when this worker has been trying. */
  since: Date;
  /** What the start-up check found wrong, in words. */
  startProblem: string | null;
  /** What of the network is left out, in words. */
  warning: string | null;
  /** A local chain has a pace of its own, whatever its row says. */
  hasOwnPace: boolean;
  endpoints: EndpointHealth[];
  quorumMiss: NetworkWatch["quorumMiss"];
  finalizedAt: NetworkWatch["finalizedAt"];
  heads: NetworkWatch["heads"];
  log: Log;
}

/** Writes down, for all processes to see, whether a network takes new orders and why not, and how its endpoints behave. */
export async function noteHealth(db: Db, network: Network, watch: Watch, now: Date): Promise<void> {
  const cursor = await findCursor(db, network.id);
  if (!cursor) return;
  const { caughtUpAt, heardAt, headTime } = cursor;
  const { since: watchedSince, quorumMiss, finalizedAt, heads } = watch;
  const reading = { caughtUpAt, heardAt, headTime, watchedSince, quorumMiss, finalizedAt, heads };
  await updateEndpoints(db, network.id, watch.owner, watch.endpoints);
  const pace = watch.hasOwnPace ? null : blockTimeWarning(network, cursor.blockMs);
  const warning = [pace, watch.warning].filter(Boolean).join(" ") || null;
  if ((await updateWarning(db, network.id, watch.owner, warning)) && warning)
    watch.log.warn({ network: network.id, warning }, "a network is not quite as its row says");
  const problem = watch.startProblem ?? behindProblem(atBlockTime(network, cursor.blockMs), reading, now);
  if (!(await updateProblem(db, network.id, watch.owner, problem))) return;
  if (problem) watch.log.error({ network: network.id, problem }, "a network takes no new orders");
  else watch.log.info({ network: network.id }, "a network takes orders again");
}
