import type { Db } from "@/db/client";
import { insertAuditEvent, insertAuditEventOnce } from "@/db/queries/merchants/audit-events";
import { pauseAddress } from "@/db/queries/merchants/receiving-addresses";
import { displayAddress, type IsGenuineAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import { AppError } from "@/lib/errors";
import type { Log } from "@/lib/log";

/** What it takes to see whether an address was changed behind the application's back, and to say so. */
export interface SealReader {
  log: Log;
  isGenuineAddress: IsGenuineAddress;
}

/** Pauses a receiving address that does not fit its seal, so that it serves no other order, and says so in the merchant's record. */
export async function pauseTampered(
  tx: Db,
  { log }: Pick<SealReader, "log">,
  { merchantId, mchOrderId }: { merchantId: string; mchOrderId: string },
  place: { network: string; address: string; receivingAddressId: string },
  now: Date,
): Promise<void> {
  const { network, receivingAddressId } = place;
  const address = displayAddress(getNetwork(network).family, place.address);
  const detail = { receivingAddressId, address, network, mchOrderId };
  const isPaused = await pauseAddress(tx, receivingAddressId, now);
  if (isPaused) await insertAuditEvent(tx, { merchantId, action: "address.tampered", detail }, now);
  log.error(
    { merchantId, ...detail },
    "a receiving address does not fit its seal: changed in the database, or APP_SECRET is another",
  );
}

/** Why nothing was given out, in words: the address that would have been is paused. */
export function brokenSeal(): AppError {
  const message =
    "A receiving address does not fit its seal: it was changed in the database, so it was paused; check it in the back office under Settings → Receiving addresses, then ask again";
  return new AppError(10006, message, { retryAfterSeconds: 60 });
}

/** Says, once an order, in its merchant's record that the address it asks to be paid to was changed behind the application's back. */
export async function noteTampered(
  db: Db,
  { log }: Pick<SealReader, "log">,
  { merchantId, id: tradeId, mchOrderId, network, address: stored }: TamperedOrder,
  now: Date,
): Promise<void> {
  const address = displayAddress(getNetwork(network).family, stored);
  const detail = { address, network, mchOrderId, tradeId };
  log.error({ merchantId, ...detail }, "the address of an order does not fit its seal; it is shown to nobody");
  const event = { merchantId, action: "address.tampered" as const, detail };
  await db.transaction((tx) => insertAuditEventOnce(tx, event, "tradeId", now));
}

interface TamperedOrder {
  id: string;
  merchantId: string;
  mchOrderId: string;
  network: string;
  /** As it is stored now. */
  address: string;
}
