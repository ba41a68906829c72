import type { Db } from "@/db/client";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { listOrderDetailRows, orderDetailOf } from "@/db/queries/orders/orders";
import {
  findOrderFunds,
  findRefundSettings,
  findTransferFunds,
  isAddressOfMerchant,
  type StoredRefund,
} from "@/db/queries/refunds/refund-requests";
import { isId } from "@/lib/domain/id";
import { API_ORIGIN } from "@/lib/domain/integration-id";
import { type FieldError, problem, refuse } from "@/lib/domain/problems/problem";
import { type ClaimInput, claimNetworks, readClaim } from "@/lib/domain/refunds/claim";
import type { RefundSettings } from "@/lib/domain/refunds/refund";
import { encryptClaim } from "@/lib/merchants/refund-claims";
import { lockWithOrder } from "@/lib/refunds/lock-subject";
import { type ClaimContext, moveRefund, type RefundContext } from "@/lib/refunds/move-refund";

/** The rate limit of claims per refund: an order number cannot be guessed. */
const OFTEN = { burst: 10, intervalMs: 30_000 };

/** The result of a claim: null if it is stored, otherwise every problem with its field. */
export type ClaimResult = { errors: FieldError[] } | null;

/**
 * Stores the network and the address that the customer entered for a refund. A link can be claimed once. The same claim again changes
 * nothing. Addresses of the merchant are refused.
 */
export async function claimRefund(
  db: Db,
  ctx: ClaimContext,
  id: string,
  input: ClaimInput,
  now: Date,
): Promise<ClaimResult> {
  if (!isId(id)) return refuse("", problem("claim_unknown"));
  return db.transaction(async (tx) => {
    const refund = await lockWithOrder(tx, id, null);
    if (!refund) return refuse("", problem("claim_unknown"));
    const { merchantId, currency } = refund;
    const settings = await findRefundSettings(tx, merchantId);
    const funds = await fundsOf(tx, refund);
    const read = readClaim(input, claimNetworks(currency, settings, funds?.network ?? ""));
    const isRepeated = "address" in read && refund.network === read.network.id && refund.address === read.address;
    if (refund.status !== "requested") return isRepeated ? null : refuse("", problem("claim_used"));
    if (refund.expiresAt <= now) return refuse("", problem("claim_expired"));
    const { granted } = await takeTokens(tx, { key: `claim:${id}`, ...OFTEN }, 1, now);
    if (granted === 0) return refuse("", problem("claim_too_often"));
    if ("field" in read) return refuse(read.field, read.problem);
    const numbers = await numbersOf(tx, ctx, refund, funds?.mchOrderId ?? null);
    if (!isChecked(settings, refund, numbers, input.check))
      return refuse(
        "check",
        problem(settings.claimCheck === "email" ? "claim_wrong_email" : "claim_wrong_order_number"),
      );
    const { network, address } = read;
    if (await isAddressOfMerchant(tx, { merchantId, family: network.family, address }))
      return refuse("address", problem("claim_address_of_shop"));
    const claim = { network: network.id, family: network.family, address };
    const claimCipher = encryptClaim(ctx.appSecret, { ...refund, ...claim });
    const change = { ...claim, claimCipher, claimedAt: now, endedReason: null };
    await moveRefund(tx, ctx, refund, { to: "claimed", change, action: "refund.claimed", detail: claim }, now);
    return null;
  });
}

/** Returns the numbers of the order of a refund: its own, and the one that the shop shows its customers if an integration created it. */
async function numbersOf(
  tx: Db,
  { integrations }: RefundContext,
  { orderId }: StoredRefund,
  mchOrderId: string | null,
): Promise<string[]> {
  if (orderId === null || mchOrderId === null) return [];
  const [row] = await listOrderDetailRows(tx, [orderId]);
  const { integration, echo } = row ? orderDetailOf(row) : { integration: API_ORIGIN, echo: null };
  const shown = integration === API_ORIGIN ? null : integrations?.get(integration)?.shownNumber?.(echo ?? {});
  return shown ? [mchOrderId, shown] : [mchOrderId];
}

function fundsOf(tx: Db, { merchantId, orderId, transferId }: StoredRefund) {
  if (orderId !== null) return findOrderFunds(tx, merchantId, orderId, { isLocking: true });
  return transferId === null ? null : findTransferFunds(tx, merchantId, transferId, { isLocking: true });
}

/** Returns true if the customer entered what the merchant's settings ask for. A refund without the asked value needs no check. */
function isChecked(
  { claimCheck }: RefundSettings,
  { email }: StoredRefund,
  numbers: readonly string[],
  typed: string,
): boolean {
  const expected = { none: [], email: email === null ? [] : [email], order_number: numbers }[claimCheck];
  return expected.length === 0 || expected.some((one) => typed.trim().toLowerCase() === one.toLowerCase());
}
