import type { Db } from "@/db/client";
import { listAddressNetworks } from "@/db/queries/merchants/address-settings";
import { type NetworkName, namesOf } from "@/lib/domain/networks";

/**
 * Returns the networks that the filters of a merchant's lists offer: those that are enabled, and those where the merchant has or had an
 * address. The orders and transfers of a disabled network must still be found. They always belong to one of the merchant's addresses, and
 * addresses are never deleted.
 */
export async function listFilterNetworks(
  db: Db,
  { rpcUrls }: { rpcUrls: ReadonlyMap<string, unknown> },
  merchantId: string,
): Promise<NetworkName[]> {
  return namesOf([...rpcUrls.keys(), ...(await listAddressNetworks(db, merchantId))]);
}
