import type { Db } from "@/db/client";
import { insertAuditEvents } from "@/db/queries/merchants/audit-events";
import {
  deleteClosure,
  findClosure,
  isNetworkUsed,
  listMerchantsOf,
  listOpen,
  writeClosure,
} from "@/db/queries/networks/closures";
import type { AuditAction } from "@/lib/domain/audit/audit";
import { findNetwork } from "@/lib/domain/networks";
import { type Closure, NOTHING_OPEN, type OpenOnNetwork } from "@/lib/domain/networks/closure";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import type { RequestOrigin } from "@/lib/domain/users/request-origin";

const MAX_REASON_LENGTH = 200;
const MAX_LISTED_ORDERS = 100;

/** The actor who closes or reopens a network. */
interface Operator {
  /** Null on the command line. */
  userId: string | null;
  /** The email address, or `COMMAND_LINE`. */
  name: string;
  from?: RequestOrigin | undefined;
}

interface CloseRequest {
  /** A network's id or alias, as in the networks table, or the id of a network that is no longer in it. */
  network: string;
  /** The reason for closing the network; may be empty. */
  reason: string;
  by: Operator;
}

/** A closed network. */
export interface ClosedNetwork extends Closure, OpenOnNetwork {
  network: string;
  /** False if it was already closed; the other fields then describe the earlier closure. */
  isNew: boolean;
}

/**
 * Closes a network whose payments cannot be read for a long time or permanently. It accepts no quotes until it is reopened, orders expire
 * without waiting for its cursor, and its holds end by time. Its worker, if it has one, continues to read it. Safe to repeat.
 * @returns the closed network, or the problem: the network is unknown, or the reason is too long
 */
export async function closeNetwork(
  db: Db,
  { network: name, reason: typed, by }: CloseRequest,
  now: Date,
): Promise<ClosedNetwork | { problem: Problem }> {
  const reason = typed.trim();
  if ([...reason].length > MAX_REASON_LENGTH) return { problem: problem("text_too_long", { max: MAX_REASON_LENGTH }) };
  const network = await findId(db, name);
  if (network === null) return unknownNetwork(name);
  const isNew = await db.transaction(async (tx) => {
    const isNew = await writeClosure(tx, network, { closedAt: now, closedBy: by.name, reason });
    if (isNew) await record(tx, "network.closed", { network, by, reason }, now);
    return isNew;
  });
  const closure = (await findClosure(db, network)) ?? { closedAt: now, closedBy: by.name, reason };
  const open = (await listOpen(db, MAX_LISTED_ORDERS, now)).get(network) ?? NOTHING_OPEN;
  return { network, isNew, ...closure, ...open };
}

/**
 * Reopens a network: it accepts quotes as soon as its worker reports no problem. Its worker continues from the cursor, and transfers are
 * matched to the holds that existed when they were sent. Safe to repeat.
 * @returns the network, with `isNew` true if this call reopened it; or the problem if the network is unknown
 */
export async function reopenNetwork(
  db: Db,
  { network: name, by }: Omit<CloseRequest, "reason">,
  now: Date,
): Promise<{ network: string; isNew: boolean } | { problem: Problem }> {
  const network = await findId(db, name);
  if (network === null) return unknownNetwork(name);
  return db.transaction(async (tx) => {
    const isNew = await deleteClosure(tx, network);
    if (isNew) await record(tx, "network.reopened", { network, by, reason: "" }, now);
    return { network, isNew };
  });
}

/** Returns the id of a network that is in the networks table or the database. */
async function findId(db: Db, name: string): Promise<string | null> {
  const known = findNetwork(name);
  if (known) return known.id;
  return (await isNetworkUsed(db, name)) ? name : null;
}

function unknownNetwork(name: string): { problem: Problem } {
  return { problem: problem("network_never_used", { name }) };
}

/** Adds an entry to the audit log of every merchant with addresses on the network, and of the operator's own merchants. */
async function record(tx: Db, action: AuditAction, { network, by, reason }: CloseRequest, now: Date): Promise<void> {
  const merchants = await listMerchantsOf(tx, network, by.userId);
  const detail = { network, operator: by.name, ...(reason && { reason }) };
  const events = merchants.map((merchantId) => ({ merchantId, userId: by.userId, from: by.from, action, detail }));
  await insertAuditEvents(tx, events, now);
}
