import type { Db } from "@/db/client";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { pauseAddress } from "@/db/queries/merchants/receiving-addresses";
import { deleteOrder } from "@/db/queries/orders/order-creation";
import { displayAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import { AppError } from "@/lib/errors";
import type { Log } from "@/lib/log";
import type { OrderDetail } from "@/lib/orders/find-order";

/**
 * Takes back an order whose receiving address is not the one its merchant added: nobody was told of it yet, so it is
 * removed and its mch_order_id can be used again. The address is paused and the merchant's record says why.
 * @throws AppError 10006 always
 */
export async function withdrawOrder(
  db: Db,
  { log }: { log: Log },
  order: OrderDetail,
  receivingAddressId: string,
  now: Date,
): Promise<never> {
  const address = displayAddress(getNetwork(order.quote.network).family, order.quote.address);
  const { merchantId } = order;
  const detail = { receivingAddressId, address, network: order.quote.network, mchOrderId: order.mchOrderId };
  await db.transaction(async (tx) => {
    await deleteOrder(tx, order);
    const isPaused = await pauseAddress(tx, receivingAddressId, now);
    if (isPaused) await insertAuditEvent(tx, { merchantId, action: "address.tampered", detail }, now);
  });
  log.error(
    { merchantId, ...detail },
    "a receiving address does not fit its seal: changed in the database, or APP_SECRET is another",
  );
  throw new AppError(
    10006,
    `The receiving address ${address} does not fit its seal, so it was paused; check it in the back office under Settings → Receiving addresses, then ask again`,
    { headers: { "Retry-After": "60" } },
  );
}
