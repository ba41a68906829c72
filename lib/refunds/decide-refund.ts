import type { Db } from "@/db/client";
import { announceWaiting } from "@/db/queries/networks/waiting";
import { isAddressOfMerchant, type StoredRefund } from "@/db/queries/refunds/refund-requests";
import { canonicalAddress, displayAddress, validateAddress } from "@/lib/domain/addresses/address";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { formatMicro } from "@/lib/domain/money";
import { findNetwork, findToken } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { fromMicro } from "@/lib/domain/refunds/amounts";
import { isOnFreezeList } from "@/lib/domain/refunds/freeze";
import { MAX_REFUND_REASON, REFUND_EXPIRES_IN } from "@/lib/domain/refunds/refund";
import { isClaimUnchanged } from "@/lib/merchants/refund-claims";
import type { Caller } from "@/lib/orders/create-order";
import { lockWithOrder } from "@/lib/refunds/lock-subject";
import { type ClaimContext, moveRefund, type RefundContext } from "@/lib/refunds/move-refund";
import { lockRefundable } from "@/lib/refunds/refundable";

/** A plugin of a shop that decides on its own refunds. */
interface PluginActor {
  merchantId: string;
  integration: IntegrationId;
}

type Decider = Actor | PluginActor;

/** The confirmations of a user who approves a refund. */
interface Approval {
  /** True if the user confirmed that the address is on the token's freeze list. */
  acceptsListed?: boolean;
}

/**
 * Approves a claimed refund. From then on its address is watched, and the merchant is expected to pay. The address and the amount are
 * checked again, because addresses, networks and payments may have changed since the claim.
 * @returns the reason for a refusal; null if it is approved, also if it was approved before
 */
export async function approveRefund(
  db: Db,
  ctx: ClaimContext,
  actor: Decider,
  id: string,
  now: Date,
  { acceptsListed = false }: Approval = {},
): Promise<{ problem: Problem } | null> {
  if (isReader(actor)) return { problem: READ_ONLY };
  return db.transaction(async (tx) => {
    const refund = await lockWithOrder(tx, id, actor.merchantId);
    if (!refund) return { problem: problem("refund_unknown") };
    if (refund.status === "approved" || refund.status === "sent" || refund.status === "completed") return null;
    if (refund.status !== "claimed") return { problem: problem("refund_not_claimed") };
    if (!isClaimUnchanged(ctx.appSecret, refund)) return { problem: problem("refund_claim_changed") };
    const { freezeState, currency } = refund;
    if (isOnFreezeList({ freezeState }) && !acceptsListed)
      return { problem: problem("refund_address_listed", { currency }) };
    const payment = await checkPayment(tx, refund);
    if ("problem" in payment) return payment;
    const { network, token, baseUnits } = payment;
    const change = {
      approvedAt: now,
      approvedBy: "userId" in actor ? actor.userId : null,
      token,
      baseUnits,
    };
    const detail = {
      network,
      amount: formatMicro(refund.microUnits),
      currency,
      address: refund.address,
    };
    await moveRefund(
      tx,
      ctx,
      refund,
      { to: "approved", change, action: "refund.approved", detail, ...byOf(actor) },
      now,
    );
    await announceWaiting(tx, network);
    return null;
  });
}

/** Returns the token and the base units that complete a refund, or the reason why it cannot be approved. */
async function checkPayment(
  tx: Db,
  refund: StoredRefund,
): Promise<{ network: string; token: string; baseUnits: bigint } | { problem: Problem }> {
  const { merchantId, orderId, transferId, currency, microUnits, address } = refund;
  const network = findNetwork(refund.network ?? "");
  const token = network && findToken(network, currency);
  if (!network || !token || token.isOff || address === null)
    return { problem: problem("refund_network_unavailable", { network: network?.name ?? refund.network ?? "" }) };
  const valid = validateAddress(network, displayAddress(network.family, address));
  if ("problem" in valid) return valid;
  if (await isAddressOfMerchant(tx, { merchantId, family: network.family, address }))
    return { problem: problem("refund_address_own") };
  const subject = orderId === null ? { orderId: null, transferId: transferId ?? "" } : { orderId, transferId: null };
  const refundable = await lockRefundable(tx, merchantId, subject);
  // The amount of this refund is counted already.
  if (!refundable || refundable.leftMicro < 0n)
    return {
      problem: problem("refund_exceeds_payment", {
        excess: formatMicro(-(refundable?.leftMicro ?? -microUnits)),
        currency,
      }),
    };
  const baseUnits = fromMicro(network.id, currency, microUnits);
  if (baseUnits === null) return { problem: problem("refund_network_unavailable", { network: network.name }) };
  return { network: network.id, token: canonicalAddress(network.family, token.contract), baseUnits };
}

/**
 * Reopens a claimed refund, so that the customer can enter another address.
 * @param reason a sentence for the customer
 */
export async function reopenRefund(
  db: Db,
  ctx: RefundContext,
  actor: Decider,
  { id, reason }: { id: string; reason: string },
  now: Date,
): Promise<{ problem: Problem } | null> {
  if (isReader(actor)) return { problem: READ_ONLY };
  const invalid = reasonProblem(reason);
  if (invalid) return { problem: invalid };
  return db.transaction(async (tx) => {
    const refund = await lockWithOrder(tx, id, actor.merchantId);
    if (!refund) return { problem: problem("refund_unknown") };
    if (refund.status === "requested") return null;
    if (refund.status !== "claimed") return { problem: problem("refund_not_claimed") };
    const longer = new Date(now.getTime() + REFUND_EXPIRES_IN.usual * 1_000);
    const change = {
      network: null,
      family: null,
      address: null,
      claimedAt: null,
      claimCipher: null,
      endedReason: reason.trim() || null,
      expiresAt: refund.expiresAt > longer ? refund.expiresAt : longer,
    };
    const detail = { reason: reason.trim(), network: refund.network, address: refund.address };
    await moveRefund(
      tx,
      ctx,
      refund,
      { to: "requested", change, action: "refund.reopened", detail, ...byOf(actor) },
      now,
    );
    return null;
  });
}

/**
 * Cancels a refund before its transfer was seen. Its address stays watched for a while, because a transfer may be on its way.
 * @param reason a sentence for the customer; empty for none
 * @returns the reason for a refusal; null if it is cancelled, also if it was cancelled before
 */
export async function cancelRefund(
  db: Db,
  ctx: RefundContext,
  actor: Decider | Caller,
  { id, reason }: { id: string; reason: string },
  now: Date,
): Promise<{ problem: Problem } | null> {
  if (isReader(actor)) return { problem: READ_ONLY };
  const invalid = reasonProblem(reason);
  if (invalid) return { problem: invalid };
  return db.transaction(async (tx) => {
    const refund = await lockWithOrder(tx, id, actor.merchantId);
    if (!refund) return { problem: problem("refund_unknown") };
    const { status } = refund;
    if (status === "cancelled") return null;
    if (status === "sent" || status === "completed") return { problem: problem("refund_already_sent", { status }) };
    if (status === "expired") return { problem: problem("refund_expired") };
    const change = { endedAt: now, endedReason: reason.trim() || null };
    const step = { to: "cancelled", change, action: "refund.cancelled", detail: { reason: reason.trim() } } as const;
    await moveRefund(tx, ctx, refund, { ...step, ...byOf(actor) }, now);
    return null;
  });
}

function isReader(actor: Decider | Caller): boolean {
  return "role" in actor && !mayChange(actor.role);
}

function byOf(actor: Decider | Caller) {
  return "userId" in actor ? { by: { userId: actor.userId, from: actor.from } } : {};
}

function reasonProblem(reason: string): Problem | null {
  const { length } = [...reason.trim()];
  return length > MAX_REFUND_REASON ? problem("refund_reason_too_long", { length, max: MAX_REFUND_REASON }) : null;
}
