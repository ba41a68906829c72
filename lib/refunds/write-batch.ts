import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findReadHead } from "@/db/queries/networks/cursors";
import { announceWaiting } from "@/db/queries/networks/waiting";
import { lockPayableRefunds, markExported, type PayableRefund } from "@/db/queries/refunds/refund-payment";
import { listOrderNumbers } from "@/db/queries/refunds/refund-requests";
import { validateAddress } from "@/lib/domain/addresses/address";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { findNetwork, type Network } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import {
  type BatchFile,
  type BatchKind,
  type BatchRefund,
  batchPlan,
  batchSafe,
  batchSheet,
  FAMILY_BATCHES,
  MAX_IN_FILE,
} from "@/lib/domain/refunds/batch";
import { mayBePaid, paymentMark } from "@/lib/domain/refunds/payment";
import { isClaimUnchanged } from "@/lib/merchants/refund-claims";
import { storedPayment } from "@/lib/refunds/pay-by-wallet";

/** The refunds that a user selected for a file. */
export interface SelectedBatch {
  network: string;
  kind: BatchKind;
  /** The selected refunds, with the recorded payments that the page shows (`paymentMark`). */
  refunds: readonly { id: string; mark: string }[];
  /** The paying account as the user entered it; only for unsigned transactions. */
  from: string;
  /** True if the user confirmed to include refunds whose payment was started before. */
  isAgain: boolean;
}

/**
 * Returns a file with the payments of approved refunds, and records that they are in a file. All selected refunds are in it, or there is no
 * file: if one of them changed since the page was read, or its payment was started and the user did not confirm to include it again.
 * @returns the file, or the reason for a refusal
 */
export async function writeBatch(
  db: Db,
  { appSecret }: { appSecret: AppSecret },
  actor: Actor,
  batch: SelectedBatch,
  now: Date,
): Promise<{ file: BatchFile } | { problem: Problem; field: "" | "from" }> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY, field: "" };
  const { merchantId, userId, from } = actor;
  const network = findNetwork(batch.network);
  const marks = new Map(batch.refunds.slice(0, MAX_IN_FILE).map(({ id, mark }) => [id, mark]));
  if (!network || marks.size === 0 || !FAMILY_BATCHES[network.family].includes(batch.kind))
    return { problem: problem("refund_batch_empty"), field: "" };
  return db.transaction(async (tx) => {
    const rows = await lockPayableRefunds(tx, merchantId, network.id, [...marks.keys()]);
    if (rows.some((row) => !isClaimUnchanged(appSecret, row)))
      return { problem: problem("refund_claim_changed"), field: "" };
    const refused = selectionProblem(marks, rows, batch.isAgain);
    if (refused) return { problem: refused, field: "" };
    const written = await fileOf(tx, network, batch, await toRefunds(tx, merchantId, rows), now);
    if ("problem" in written) return written;
    const ids = rows.map(({ id }) => id);
    await markExported(tx, merchantId, ids, now);
    await announceWaiting(tx, network.id);
    const detail = { network: network.id, kind: batch.kind, count: ids.length, refundIds: ids };
    await insertAuditEvent(tx, { merchantId, userId, from, action: "refund.batched", detail }, now);
    return written;
  });
}

function selectionProblem(
  marks: ReadonlyMap<string, string>,
  rows: readonly PayableRefund[],
  isAgain: boolean,
): Problem | null {
  const same = rows.filter((row) => marks.get(row.id) === paymentMark(row) && storedPayment(row) !== null);
  if (same.length < marks.size) return problem("refund_batch_changed", { count: marks.size - same.length });
  const started = rows.filter(mayBePaid).length;
  return started > 0 && !isAgain ? problem("refund_batch_paid", { count: started }) : null;
}

async function toRefunds(db: Db, merchantId: string, rows: readonly PayableRefund[]): Promise<BatchRefund[]> {
  const orderIds = rows.flatMap(({ orderId }) => orderId ?? []);
  const numbers = await listOrderNumbers(db, merchantId, orderIds);
  return rows.flatMap((row) => {
    const payment = storedPayment(row);
    return payment ? [{ refundId: row.id, order: numbers.get(row.orderId ?? "") ?? null, payment }] : [];
  });
}

/** The maximum age of the newest block: a block that is older identifies no recent state, and transactions expire early. */
const OLDEST_HEAD_MS = 30_000;

async function fileOf(
  db: Db,
  network: Network,
  { kind, from }: Pick<SelectedBatch, "kind" | "from">,
  refunds: readonly BatchRefund[],
  now: Date,
): Promise<{ file: BatchFile } | { problem: Problem; field: "" | "from" }> {
  if (kind === "csv") return { file: batchSheet(network, refunds, now) };
  if (kind === "safe") return { file: batchSafe(network, refunds, now) };
  const payer = validateAddress(network, from);
  if ("problem" in payer) return { problem: payer.problem, field: "from" };
  if (refunds.some(({ payment }) => payment.address === payer.address))
    return { problem: problem("refund_batch_own"), field: "from" };
  const head = await findReadHead(db, network.id);
  if (!head || now.getTime() - head.caughtUpAt.getTime() > OLDEST_HEAD_MS)
    return { problem: problem("refund_batch_unready", { network: network.name }), field: "" };
  return { file: batchPlan(network, refunds, { from: payer.address, head }, now) };
}
