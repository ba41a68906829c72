import type { Db } from "@/db/client";
import { insertAuditEvent, insertAuditEventOnce } from "@/db/queries/merchants/audit-events";
import { pauseAddress } from "@/db/queries/merchants/receiving-addresses";
import { displayAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import type { Log } from "@/lib/log";

/**
 * Pauses a receiving address that does not fit its seal, so that it serves no other order, and says so in the merchant's record.
 * @returns the address as people write it
 */
export async function pauseTampered(
  tx: Db,
  { log }: { log: Log },
  { merchantId, mchOrderId }: { merchantId: string; mchOrderId: string },
  place: { network: string; address: string; receivingAddressId: string },
  now: Date,
): Promise<string> {
  const { network, receivingAddressId } = place;
  const address = displayAddress(getNetwork(network).family, place.address);
  const detail = { receivingAddressId, address, network, mchOrderId };
  const isPaused = await pauseAddress(tx, receivingAddressId, now);
  if (isPaused) await insertAuditEvent(tx, { merchantId, action: "address.tampered", detail }, now);
  log.error(
    { merchantId, ...detail },
    "a receiving address does not fit its seal: changed in the database, or APP_SECRET is another",
  );
  return address;
}

/** Says, once an order, in its merchant's record that the address it asks to be paid to was changed behind the application's back. */
export async function noteTampered(
  db: Db,
  { log }: { log: Log },
  { merchantId, id: tradeId, mchOrderId, network, address: stored }: TamperedOrder,
  now: Date,
): Promise<void> {
  const address = displayAddress(getNetwork(network).family, stored);
  const detail = { address, network, mchOrderId, tradeId };
  log.error({ merchantId, ...detail }, "the address of an order does not fit its seal; it is shown to nobody");
  await insertAuditEventOnce(db, { merchantId, action: "address.tampered", detail }, "tradeId", now);
}

interface TamperedOrder {
  id: string;
  merchantId: string;
  mchOrderId: string;
  network: string;
  /** As it is stored now. */
  address: string;
}
