import type { Db } from "@/db/client";
import { insertAuditEvent, insertAuditEventOnce } from "@/db/queries/merchants/audit-events";
import { pauseAddress } from "@/db/queries/merchants/receiving-addresses";
import { displayAddress, type VerifyAddress } from "@/lib/domain/addresses/address";
import { getNetwork } from "@/lib/domain/networks";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import type { Log } from "@/lib/log";
import { isAppSecretVerified } from "@/lib/merchants/check-app-secret";

/** The dependencies for detecting and reporting an address that was changed outside the application. */
export interface MacVerification {
  log: Log;
  isVerifiedAddress: VerifyAddress;
}

/**
 * Pauses a receiving address that fails its MAC, so that it serves no other order, and records that in the merchant's audit log. While
 * APP_SECRET itself cannot be verified, a failed MAC is no evidence against the address, and the address is not paused.
 * @returns the error for the caller that requested the address
 */
export async function pauseUnverified(
  tx: Db,
  { log, isVerifiedAddress }: MacVerification,
  { merchantId, mchOrderId }: { merchantId: string; mchOrderId: string },
  at: { network: string; address: string; receivingAddressId: string },
  now: Date,
): Promise<AppError> {
  const { network, receivingAddressId } = at;
  const address = displayAddress(getNetwork(network).family, at.address);
  const detail = { receivingAddressId, address, network, mchOrderId };
  if (!(await isAppSecretVerified(tx, isVerifiedAddress))) {
    log.error({ merchantId, ...detail }, SECRET_MISMATCH);
    return unverifiable();
  }
  const isPaused = await pauseAddress(tx, receivingAddressId, now);
  if (isPaused) await insertAuditEvent(tx, { merchantId, action: "address.tampered", detail }, now);
  log.error(
    { merchantId, ...detail },
    "the integrity check of a receiving address failed: it was changed in the database",
  );
  return integrityError();
}

const SECRET_MISMATCH =
  "a receiving address cannot be verified, because APP_SECRET is not the secret of this installation; it was not paused";

/** Returns the error for requests while the secret that verifies addresses is wrong. */
export function unverifiable(): AppError {
  return new AppError(problem("addresses_unverifiable"), { retryAfterSeconds: 60 });
}

/** Returns the error for an address that was paused instead of being assigned. */
function integrityError(): AppError {
  return new AppError(problem("address_changed"), { retryAfterSeconds: 60 });
}

/**
 * Records in the merchant's audit log, once per order, that the order's address was changed in the database.
 * @returns false, and nothing is written, while APP_SECRET itself cannot be verified
 */
export async function recordFailedIntegrity(
  db: Db,
  { log, isVerifiedAddress }: MacVerification,
  { merchantId, id: tradeId, mchOrderId, network, address: stored }: UnverifiedOrder,
  now: Date,
): Promise<boolean> {
  const address = displayAddress(getNetwork(network).family, stored);
  const detail = { address, network, mchOrderId, tradeId };
  if (!(await isAppSecretVerified(db, isVerifiedAddress))) {
    log.error({ merchantId, ...detail }, SECRET_MISMATCH);
    return false;
  }
  log.error({ merchantId, ...detail }, "the integrity check of an order's address failed; the address is not shown");
  const event = { merchantId, action: "address.tampered" as const, detail };
  await db.transaction((tx) => insertAuditEventOnce(tx, event, "tradeId", now));
  return true;
}

interface UnverifiedOrder {
  id: string;
  merchantId: string;
  mchOrderId: string;
  network: string;
  /** The address as stored now. */
  address: string;
}
