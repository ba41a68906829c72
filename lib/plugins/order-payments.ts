import type { Db } from "@/db/client";
import {
  listOrderPayments,
  listOrderQuotes,
  type OrderPayment,
  type OrderQuote,
} from "@/db/queries/plugins/integration-orders";
import { verifiedAddress } from "@/lib/domain/addresses/address";
import type { OrderDetail } from "@/lib/domain/orders/order-detail";
import type { MacVerification } from "@/lib/merchants/verify-address";

export type { OrderPayment, OrderQuote };

/**
 * Lists the quotes of an order, the current one first, and its transfers. Quotes whose address fails its integrity check are left out, so
 * that no payer is shown an address that was changed in the database.
 */
export async function listQuotesAndPayments(
  db: Db,
  { isVerifiedAddress }: Pick<MacVerification, "isVerifiedAddress">,
  order: Pick<OrderDetail, "id" | "merchantId">,
): Promise<{ quotes: OrderQuote[]; payments: OrderPayment[] }> {
  const { merchantId } = order;
  const all = await listOrderQuotes(db, order);
  const quotes = all.filter((quote) => verifiedAddress({ ...quote, merchantId }, isVerifiedAddress) !== null);
  return { quotes, payments: await listOrderPayments(db, order) };
}
