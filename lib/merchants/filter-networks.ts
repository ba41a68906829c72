import type { Db } from "@/db/client";
import { listAddressNetworks } from "@/db/queries/merchants/address-settings";
import { type NetworkName, namesOf } from "@/lib/domain/networks";

/**
 * The networks that filters of a merchant's lists offer: those that are switched on, and those where the merchant has or had an
 * address. A network that was switched off keeps its orders and transfers, and they must still be found; every one of them is
 * at an address of the merchant, and addresses are never deleted.
 */
export async function listFilterNetworks(
  db: Db,
  { rpcUrls }: { rpcUrls: ReadonlyMap<string, unknown> },
  merchantId: string,
): Promise<NetworkName[]> {
  return namesOf([...rpcUrls.keys(), ...(await listAddressNetworks(db, merchantId))]);
}
