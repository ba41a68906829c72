import type { Db } from "@/db/client";
import {
  findIntegrationRefund,
  listIntegrationRefunds,
  listPaidByEcho,
} from "@/db/queries/plugins/integration-refunds";
import { findOrderFunds, findRefundSettings } from "@/db/queries/refunds/refund-requests";
import { isId } from "@/lib/domain/id";
import type { IntegrationId } from "@/lib/domain/integration-id";
import type { Network } from "@/lib/domain/networks";
import { claimNetworks } from "@/lib/domain/refunds/claim";
import type { Refund } from "@/lib/domain/refunds/refund";
import { findRefundable } from "@/lib/refunds/refundable";

/** A shop's integration. */
interface ShopIntegration {
  merchantId: string;
  integration: IntegrationId;
}

/**
 * Finds a refund of an order that an integration created, also one that a user requested; null if there is none.
 * @param merchantId the merchant of the refund; null: any merchant, for the customer who has the claim link
 */
export async function findPluginRefund(
  db: Db,
  of: { merchantId: string | null; integration: IntegrationId },
  id: string,
): Promise<Refund | null> {
  return isId(id) ? findIntegrationRefund(db, of, id) : null;
}

const MAX_LISTED = 1_000;

/** Lists the newest 1,000 refunds of the orders that an integration created for a shop, newest first. */
export async function listPluginRefunds(db: Db, of: ShopIntegration): Promise<Refund[]> {
  return listIntegrationRefunds(db, of, MAX_LISTED);
}

/** The paid orders with a shop's order number. `withFunds` are those of which an amount is left to refund. */
export interface PaidOrders {
  /** The number that was found. */
  number: string;
  ids: readonly string[];
  withFunds: readonly string[];
}

/**
 * Finds the paid orders of a shop by its own order number, which its integration stored with them.
 * @param numbers the possible numbers; the longest that an order has is chosen
 * @returns null if no paid order has one of them
 */
export async function findPaidOrders(
  db: Db,
  of: ShopIntegration,
  { field, numbers }: { field: string; numbers: readonly string[] },
): Promise<PaidOrders | null> {
  const found = await listPaidByEcho(db, of, { field, values: numbers });
  const [number] = found.map(({ value }) => value).toSorted((one, other) => other.length - one.length);
  if (number === undefined) return null;
  const ids = found.filter(({ value }) => value === number).map(({ id }) => id);
  const withFunds: string[] = [];
  for (const orderId of ids) {
    const refundable = await findRefundable(db, of.merchantId, { orderId, transferId: null });
    if (refundable && refundable.leftMicro > 0n) withFunds.push(orderId);
  }
  return { number, ids, withFunds };
}

/** The terms under which a refund can be claimed without its claim page. */
interface ClaimTerms {
  /** True if the customer must first enter a value that only the claim page asks for. */
  isChecked: boolean;
  /** The networks on which it can be claimed, the network of the order first. */
  networks: readonly Network[];
}

/** Finds the terms of a claim: the settings of the merchant. */
export async function findClaimTerms(db: Db, refund: Refund): Promise<ClaimTerms> {
  const { merchantId, orderId, email, currency } = refund;
  const settings = await findRefundSettings(db, merchantId);
  const funds = orderId === null ? null : await findOrderFunds(db, merchantId, orderId, { isLocking: false });
  const isChecked = settings.claimCheck === "order_number" || (settings.claimCheck === "email" && email !== null);
  return { isChecked, networks: claimNetworks(currency, settings, funds?.network ?? "") };
}
