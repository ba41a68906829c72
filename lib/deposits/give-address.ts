import type { Db } from "@/db/client";
import {
  type AssignedDeposit,
  takeDepositAddress,
  withdrawDepositAddress,
} from "@/db/queries/deposits/deposit-addresses";
import { findClosure } from "@/db/queries/networks/closures";
import { displayAddress } from "@/lib/domain/addresses/address";
import type { DepositAddress } from "@/lib/domain/deposits/deposit-wire";
import { newId } from "@/lib/domain/id";
import { type Network, networkTitle } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import { type MacVerification, pauseUnverified } from "@/lib/merchants/verify-address";
import type { Caller } from "@/lib/orders/create-order";

/** The validated request of a merchant. */
export interface DepositRequest {
  customerRef: string;
  network: Network;
  /** The URL for callbacks; null to keep the earlier value, if any. */
  notifyUrl: string | null;
}

/**
 * Assigns a permanent address to a customer, or returns the existing one. Safe to repeat, even concurrently: requests for one customer are
 * serialized in the database.
 * @throws AppError 10002 if the key was revoked; 10006 if no dedicated address is available, if the customer's address was paused, removed
 * or fails its MAC check, or if an operator closed the network
 */
export async function assignDepositAddress(
  db: Db,
  ctx: MacVerification,
  { merchantId, apiKeyId }: Caller,
  { customerRef, network, notifyUrl }: DepositRequest,
  now: Date,
): Promise<{ address: DepositAddress; isReplayed: boolean }> {
  const asked = { id: newId(now), merchantId, apiKeyId, customerRef, network: network.id, notifyUrl };
  if (await findClosure(db, network.id))
    throw later(problem("network_closed_to_deposits", { network: networkTitle(network) }));
  const assigned = await db.transaction(async (tx) => {
    const assigned = await takeDepositAddress(tx, asked, now);
    if ("refused" in assigned || ctx.isVerifiedAddress({ ...assigned, merchantId, network: network.id }))
      return assigned;
    if (assigned.outcome === "made") await withdrawDepositAddress(tx, { id: assigned.id, merchantId });
    const at = { network: network.id, address: assigned.address, receivingAddressId: assigned.receivingAddressId };
    return pauseUnverified(tx, ctx, { merchantId, mchOrderId: customerRef }, at, now);
  });
  if (assigned instanceof AppError) throw assigned;
  if ("refused" in assigned) throw assigned.refused === "deadKey" ? deadKey() : noneFree(network);
  if (assigned.isClosed) throw closed(assigned, network);
  const { id, address, createdAt, outcome } = assigned;
  return { address: { id, customerRef, network: network.id, address, createdAt }, isReplayed: outcome === "had" };
}

const later = (invalid: Problem) => new AppError(invalid, { retryAfterSeconds: 60 });

function noneFree(network: Network): AppError {
  return later(problem("deposit_address_none_free", { network: networkTitle(network) }));
}

function closed({ address }: AssignedDeposit, network: Network): AppError {
  return later(problem("deposit_address_paused", { address: displayAddress(network.family, address) }));
}
