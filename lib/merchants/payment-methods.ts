import type { Db } from "@/db/client";
import { listOpenNetworks } from "@/db/queries/merchants/networks";
import { allNetworks, type Currency } from "@/lib/domain/networks";
import type { Env } from "@/lib/env";

/** A network with the currencies that can be paid on it. */
export interface PaymentMethod {
  network: string;
  currencies: Currency[];
}

/**
 * What a merchant can take at this moment: on networks that are switched on, read without a problem, and where the merchant has
 * an address that is not paused.
 */
export async function listPaymentMethods(
  db: Db,
  { rpcUrls }: Pick<Env, "rpcUrls">,
  { merchantId }: { merchantId: string },
  now: Date,
): Promise<PaymentMethod[]> {
  const open = new Set(await listOpenNetworks(db, merchantId, now));
  return allNetworks()
    .filter(({ id }) => rpcUrls.has(id) && open.has(id))
    .map(({ id, tokens }) => ({
      network: id,
      currencies: tokens.filter(({ isOff }) => !isOff).map(({ currency }) => currency),
    }))
    .filter(({ currencies }) => currencies.length > 0);
}
