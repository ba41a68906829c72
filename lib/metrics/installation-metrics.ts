import type { Counter as PromCounter, Gauge as PromGauge, Registry as PromRegistry } from "prom-client";
import type { Db } from "@/db/client";
import { countFailingByNetwork } from "@/db/queries/many-rows";
import { type Backlog, countBacklog, countConnections } from "@/db/queries/networks/backlog";
import { listCalls } from "@/db/queries/networks/calls";
import { type Cursor, listCursors } from "@/db/queries/networks/cursors";
import { listReports } from "@/db/queries/operating/alerts";
import { listFailingMerchants, listOutcomes, type OutcomeTotal } from "@/db/queries/operating/outcomes";
import { countLostByNetwork } from "@/db/queries/transfers/reorgs";
import { findNetwork, getNetwork } from "@/lib/domain/networks";
import { dayOf } from "@/lib/domain/networks/budget";
import { behindBlocks, recentErrors, unreadProblem } from "@/lib/domain/networks/health";

/** The caching time of the result, which bounds the load on the database regardless of the number of requests. */
const KEEP_MS = 5_000;
const STATES = ["awake", "drowsy", "asleep"] as const;

type Labels = Record<string, string>;

/** Returns the metrics of the whole installation in the Prometheus text format. They are the same in every process. */
export type ReadInstallation = (now: Date) => Promise<string>;

/** Creates a reader of the installation's metrics for one process. */
export function createInstallationMetrics(db: Db, networks: readonly string[]): ReadInstallation {
  let kept: { until: number; text: Promise<string> } | null = null;
  return (now) => {
    if (kept === null || kept.until <= now.getTime()) {
      const text = read(db, networks, now);
      kept = { until: now.getTime() + KEEP_MS, text };
      text.catch(() => {
        kept = null;
      });
    }
    return kept.text;
  };
}

async function read(db: Db, networks: readonly string[], now: Date): Promise<string> {
  const { Counter, Gauge, Registry } = await import("prom-client");
  const registry = new Registry();
  const gauges = new Map<string, PromGauge>();
  const write = (name: string, help: string, value: number | null, labels: Labels = {}) => {
    const full = `stablegate_${name}`;
    const labelNames = Object.keys(labels);
    const gauge = gauges.get(full) ?? new Gauge({ name: full, help, labelNames, registers: [registry] });
    gauges.set(full, gauge);
    if (value !== null) gauge.set(labels, value);
  };
  const [outcomes, merchants, machines, rows, calls, lost, failing, backlog, connections] = await Promise.all([
    listOutcomes(db, now),
    listFailingMerchants(db),
    listReports(db, now),
    listCursors(db, networks),
    listCalls(db, dayOf(now)),
    countLostByNetwork(db),
    countFailingByNetwork(db, now),
    countBacklog(db, now),
    countConnections(db),
  ]);
  for (const network of networks) {
    const row = rows.find((one) => one.network === network);
    writeNetwork(write, network, row, now);
    write("network_lost_transfers", "Confirmed transfers that a reorg removed", lost.get(network) ?? 0, { network });
    write("network_failing_rows", "Orders and transfers that cannot be processed further", failing.get(network) ?? 0, {
      network,
    });
  }
  for (const { network, endpoint, today, errorsToday } of calls) {
    write("endpoint_calls_today", "Calls to an endpoint since midnight UTC", today, { network, endpoint });
    write("endpoint_errors_today", "Failed calls to an endpoint since midnight UTC", errorsToday, {
      network,
      endpoint,
    });
  }
  countOutcomes(outcomes, Counter, registry);
  writeConversion(write, outcomes);
  writeMachines(write, machines);
  write(
    "merchant_callbacks_failing",
    "Callbacks that failed five times in a row, for the 20 merchants with the most such callbacks",
    null,
    {
      merchant: "",
    },
  );
  for (const { merchantId: merchant, count } of merchants) write("merchant_callbacks_failing", "", count, { merchant });
  writeBacklog(write, backlog);
  for (const { work, state, count } of connections)
    write("database_connections", "Connections to the database, by purpose and state", count, { work, state });
  return registry.metrics();
}

function countOutcomes(outcomes: readonly OutcomeTotal[], Counter: typeof PromCounter, registry: PromRegistry): void {
  const orders = new Counter({
    name: "stablegate_orders_total",
    labelNames: ["network", "currency", "outcome"],
    registers: [registry],
    help: "Orders that were created, seen, paid, expired, cancelled or underpaid; created orders are counted two minutes later",
  });
  const unmatched = new Counter({
    name: "stablegate_transfers_unmatched_total",
    labelNames: ["network", "currency"],
    registers: [registry],
    help: "Transfers that were unmatched when they were processed; look-alike tokens are not counted",
  });
  for (const { network, currency, outcome, count } of outcomes) {
    if (outcome === "unmatched") unmatched.inc({ network, currency }, count);
    else orders.inc({ network, currency, outcome }, count);
  }
}

/** Writes the ratio of paid to created orders of the last day. A network without orders has no ratio. */
function writeConversion(write: Write, outcomes: readonly OutcomeTotal[]): void {
  const help = "Orders paid in the last day, as a share of the orders created in that time";
  write("orders_conversion_ratio", help, null, { network: "", currency: "" });
  for (const { network, currency, lastDay: created } of outcomes.filter(({ outcome }) => outcome === "created")) {
    const paid = outcomes.find((one) => one.outcome === "paid" && one.network === network && one.currency === currency);
    if (created > 0) write("orders_conversion_ratio", help, (paid?.lastDay ?? 0) / created, { network, currency });
  }
}

function writeMachines(write: Write, machines: Awaited<ReturnType<typeof listReports>>): void {
  const none = { machine: "" };
  write("last_dump_timestamp_seconds", "Time of the newest dump on a machine; 0 if it has none", null, none);
  write(
    "certificate_expiry_timestamp_seconds",
    "Expiry of the TLS certificate of PUBLIC_URL, as served to this machine",
    null,
    none,
  );
  write("disk_free_bytes", "Free space on the disks of the data folder and the dumps", null, { ...none, folder: "" });
  write("disk_size_bytes", "Size of the disks of the data folder and the dumps", null, { ...none, folder: "" });
  for (const { machine, disks, lastDumpAt, certificateEndsAt } of machines) {
    if (lastDumpAt !== undefined) write("last_dump_timestamp_seconds", "", lastDumpAt ?? 0, { machine });
    if (certificateEndsAt) write("certificate_expiry_timestamp_seconds", "", certificateEndsAt, { machine });
    for (const { folder, freeBytes, sizeBytes } of disks) {
      write("disk_free_bytes", "", freeBytes, { machine, folder });
      write("disk_size_bytes", "", sizeBytes, { machine, folder });
    }
  }
}

type Write = (name: string, help: string, value: number | null, labels?: Labels) => void;

function writeNetwork(write: Write, network: string, row: Cursor | undefined, now: Date): void {
  const seconds = (at: Date | null | undefined) => (at ? at.getTime() / 1_000 : null);
  const hasRead = row && row.height !== null && row.headHeight !== null;
  const behind = behindBlocks(getNetwork(network), row ?? null, now);
  write("network_behind_blocks", "Blocks between the chain's head and the last block read", behind, { network });
  const blockMs = row?.blockMs ?? findNetwork(network)?.blockMs ?? null;
  write(
    "network_block_seconds",
    "Seconds between blocks, as last measured",
    blockMs === null ? null : blockMs / 1_000,
    {
      network,
    },
  );
  write("network_height", "The last block read", row?.height ?? null, { network });
  const lastBlockAt = hasRead ? seconds(row.blockTime) : null;
  write("network_last_block_timestamp_seconds", "Time of the last block read", lastBlockAt, { network });
  write("network_last_heard_timestamp_seconds", "Time of the last response of a node", seconds(row?.respondedAt), {
    network,
  });
  const isClosed = row?.closedAt != null;
  write("network_closed", "1 while the network is closed by an operator", isClosed ? 1 : 0, { network });
  const problem = row?.problem ?? unreadProblem(getNetwork(network), row ?? null, now);
  const hasProblem = !isClosed && problem !== null;
  write("network_problem", "1 while the network is open but accepts no new orders or is not read", hasProblem ? 1 : 0, {
    network,
  });
  write(
    "network_lease",
    "1 while a worker holds the lease of the network",
    row?.leaseUntil && row.leaseUntil > now ? 1 : 0,
    {
      network,
    },
  );
  for (const state of STATES)
    write("network_watch_state", "1 for the current polling tier of the network", row?.watchState === state ? 1 : 0, {
      network,
      state,
    });
  for (const endpoint of row?.endpoints ?? []) {
    const labels = { network, endpoint: endpoint.name };
    write(
      "endpoint_errors_last_hour",
      "Failed calls to an endpoint within the last hour",
      recentErrors(endpoint, now),
      labels,
    );
  }
}

function writeBacklog(write: Write, backlog: Backlog): void {
  write("unmatched_transfers", "Unmatched transfers that await review", backlog.unmatchedTransfers);
  write("callbacks_pending", "Callbacks that are not delivered yet", backlog.pendingCallbacks);
  write("callbacks_due", "Callbacks that are due", backlog.dueCallbacks);
  write("callbacks_oldest_due_seconds", "Time since the oldest due callback became due", backlog.oldestDueSeconds);
  write("callbacks_failed", "Callbacks that failed permanently", backlog.failedCallbacks);
  write("reservations_held", "Amounts that are reserved for orders", backlog.heldAmounts);
}
