import type { Db } from "@/db/client";
import { type TakenDeposit, takeDepositAddress, withdrawDepositAddress } from "@/db/queries/deposits/deposit-addresses";
import { findClosure } from "@/db/queries/networks/closures";
import { displayAddress } from "@/lib/domain/addresses/address";
import type { DepositAddress } from "@/lib/domain/deposits/deposit-wire";
import { newId } from "@/lib/domain/id";
import { type Network, networkTitle } from "@/lib/domain/networks";
import { type Problem, problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import { pauseTampered, type SealReader } from "@/lib/merchants/tampered";
import type { Caller } from "@/lib/orders/create-order";

/** The validated request of a merchant. */
export interface DepositRequest {
  customerRef: string;
  network: Network;
  /** Null to keep the earlier value, if any. */
  notifyUrl: string | null;
}

/**
 * Gives a customer a permanent address, or returns the existing one. Safe to repeat, also concurrently: requests for one customer are
 * serialized in the database.
 * @throws AppError 10002 the key was revoked, 10006 no dedicated address is free, the customer's was paused, removed or fails its MAC, or
 * an operator closed the network
 */
export async function giveDepositAddress(
  db: Db,
  ctx: SealReader,
  { merchantId, apiKeyId }: Caller,
  { customerRef, network, notifyUrl }: DepositRequest,
  now: Date,
): Promise<{ address: DepositAddress; isReplayed: boolean }> {
  const asked = { id: newId(now), merchantId, apiKeyId, customerRef, network: network.id, notifyUrl };
  if (await findClosure(db, network.id))
    throw later(problem("network_closed_to_deposits", { network: networkTitle(network) }));
  const taken = await db.transaction(async (tx) => {
    const taken = await takeDepositAddress(tx, asked, now);
    if ("refused" in taken || ctx.isGenuineAddress({ ...taken, merchantId, network: network.id })) return taken;
    if (taken.outcome === "made") await withdrawDepositAddress(tx, { id: taken.id, merchantId });
    const place = { network: network.id, address: taken.address, receivingAddressId: taken.receivingAddressId };
    return pauseTampered(tx, ctx, { merchantId, mchOrderId: customerRef }, place, now);
  });
  if (taken instanceof AppError) throw taken;
  if ("refused" in taken) throw taken.refused === "deadKey" ? deadKey() : noneFree(network);
  if (taken.isClosed) throw closed(taken, network);
  const { id, address, createdAt, outcome } = taken;
  return { address: { id, customerRef, network: network.id, address, createdAt }, isReplayed: outcome === "had" };
}

const later = (wrong: Problem) => new AppError(wrong, { retryAfterSeconds: 60 });

function noneFree(network: Network): AppError {
  return later(problem("deposit_address_none_free", { network: networkTitle(network) }));
}

function closed({ address }: TakenDeposit, network: Network): AppError {
  return later(problem("deposit_address_paused", { address: displayAddress(network.family, address) }));
}
