import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { findReadHead } from "@/db/queries/networks/cursors";
import { announceWaiting } from "@/db/queries/networks/waiting";
import { clearWalletRequest, writeWalletPayment, writeWalletRequest } from "@/db/queries/refunds/refund-payment";
import { lockRefund, type StoredRefund } from "@/db/queries/refunds/refund-requests";
import { canonicalAddress } from "@/lib/domain/addresses/address";
import { requestPayment, type WalletPayment, type WalletRequest } from "@/lib/domain/checkout/wallet-request";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { findNetwork, findToken, getNetwork } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { fromMicro } from "@/lib/domain/refunds/amounts";
import { mayBePaid, paymentMark } from "@/lib/domain/refunds/payment";
import type { RefundStatus } from "@/lib/domain/refunds/refund";
import { readTxId } from "@/lib/domain/transfers/lookup";
import { isClaimUnchanged } from "@/lib/merchants/refund-claims";

/** A payment that a user makes with a wallet of the browser. */
interface StartedPayment {
  id: string;
  /** The recorded payments that the page shows (`paymentMark`). */
  mark: string;
  /** True if the user confirmed to pay although a payment is recorded. */
  isAgain: boolean;
  /** The account of the wallet; null before the wallet is connected. */
  account: string | null;
}

/** The request to a wallet, and the time at which it was recorded; null if it was not recorded because the account is unknown. */
interface StartedRequest {
  request: WalletRequest;
  askedAt: Date | null;
}

/**
 * Returns the request to a wallet for an approved refund, from its newest state. With an account, the request is recorded before the
 * wallet can be asked, so that no other user pays the refund unaware of it. It is refused if the refund is not waiting for a payment any
 * more, if another payment was recorded in the meantime, or if one is recorded and the user did not confirm to pay again.
 */
export async function beginWalletPayment(
  db: Db,
  { isSandbox, appSecret }: { isSandbox: boolean; appSecret: AppSecret },
  actor: Actor,
  { id, mark, isAgain, account }: StartedPayment,
  now: Date,
): Promise<StartedRequest | { problem: Problem }> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  const { merchantId } = actor;
  return db.transaction(async (tx) => {
    const refund = await lockRefund(tx, { id, merchantId });
    if (!refund) return { problem: problem("refund_unknown") };
    if (refund.status !== "approved") return { problem: problem("refund_not_payable", { status: refund.status }) };
    if (paymentMark(refund) !== mark || (mayBePaid(refund) && !isAgain))
      return { problem: problem("refund_payment_recorded") };
    if (!isClaimUnchanged(appSecret, refund)) return { problem: problem("refund_claim_changed") };
    const payment = storedPayment(refund);
    if (!payment) return { problem: problem("refund_network_unavailable", { network: refund.network ?? "" }) };
    const head = await findReadHead(tx, payment.network.id);
    const request = requestPayment(payment, { isSandbox, head, account, now });
    await announceWaiting(tx, payment.network.id);
    if (account === null || request.problem !== null) return { request, askedAt: null };
    await writeWalletRequest(tx, merchantId, id, now);
    return { request, askedAt: now };
  });
}

/** The statuses in which a wallet may have paid a refund: its transfer may be detected before the wallet returns. */
const PAYABLE: readonly RefundStatus[] = ["approved", "sent", "completed"];

/**
 * Returns the payment that completes an approved refund; null if its network or its token is not configured any more, or its base units are
 * not the claimed amount.
 */
export function storedPayment(
  refund: Pick<StoredRefund, "network" | "currency" | "address" | "token" | "baseUnits" | "microUnits">,
): WalletPayment | null {
  const { address, token: contract, baseUnits: units } = refund;
  const network = findNetwork(refund.network ?? "");
  const token = network && findToken(network, refund.currency);
  if (!network || !token || address === null || units === null) return null;
  if (units !== fromMicro(network.id, refund.currency, refund.microUnits)) return null;
  return canonicalAddress(network.family, token.contract) === contract ? { network, token, address, units } : null;
}

/**
 * Removes the record of a request that its user declined in the wallet, or that never reached the wallet. Safe to repeat.
 * @param askedAt the time that `beginWalletPayment` returned
 */
export async function dropWalletPayment(
  db: Db,
  actor: Actor,
  { id, askedAt }: { id: string; askedAt: Date },
): Promise<{ problem: Problem } | null> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  const { merchantId } = actor;
  return db.transaction(async (tx) => {
    if (!(await lockRefund(tx, { id, merchantId }))) return { problem: problem("refund_unknown") };
    await clearWalletRequest(tx, merchantId, id, askedAt);
    return null;
  });
}

/**
 * Records the transaction that a wallet returned for a refund, as a hint that protects against a second payment, also if a reorg removes
 * the transfer. Nothing else changes: only a transfer on the chain completes a refund. Safe to repeat.
 * @param text the transaction id; empty if the wallet returned none
 * @returns the reason for a refusal; null if it is recorded
 */
export async function noteWalletPayment(
  db: Db,
  actor: Actor,
  { id, text }: { id: string; text: string },
  now: Date,
): Promise<{ problem: Problem } | null> {
  if (!mayChange(actor.role)) return { problem: READ_ONLY };
  const { merchantId, userId, from } = actor;
  return db.transaction(async (tx) => {
    const refund = await lockRefund(tx, { id, merchantId });
    if (!refund) return { problem: problem("refund_unknown") };
    const { status, network, orderId } = refund;
    if (network === null || !PAYABLE.includes(status)) return { problem: problem("refund_not_payable", { status }) };
    const { family, name } = getNetwork(network);
    const txId = text === "" ? null : readTxId(family, text);
    if (text !== "" && txId === null) return { problem: problem("refund_id_malformed", { network: name }) };
    if (txId !== null && txId === refund.walletTxId) return null;
    await writeWalletPayment(tx, { merchantId, id, txId }, now);
    const detail = txId === null ? { refundId: id, network } : { refundId: id, network, txId };
    await insertAuditEvent(tx, { merchantId, userId, from, orderId, action: "refund.wallet_sent", detail }, now);
    return null;
  });
}
