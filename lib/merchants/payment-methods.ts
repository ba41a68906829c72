import type { Db } from "@/db/client";
import { type AddressedNetwork, listAddressedNetworks } from "@/db/queries/merchants/networks";
import type { Env } from "@/lib/config/env";
import { allNetworks, type Currency } from "@/lib/domain/networks";
import { methodName } from "@/lib/domain/orders/terms";

/** A network with the currencies that can be paid on it. */
export interface PaymentMethod {
  network: string;
  currencies: Currency[];
}

type SwitchedOn = Pick<Env, "rpcUrls">;

/**
 * Returns the methods that the merchant offers and can accept now: on enabled networks without a problem, where the merchant has an
 * address that is not paused.
 */
export async function listPaymentMethods(
  db: Db,
  env: SwitchedOn,
  { merchantId }: { merchantId: string },
  now: Date,
): Promise<PaymentMethod[]> {
  return methodsOn(await listAddressedNetworks(db, merchantId, now), env);
}

/** Returns the methods of this installation: every token in use on every enabled network. */
export function listEnabledMethods({ rpcUrls }: SwitchedOn): { network: string; currency: Currency }[] {
  return allNetworks()
    .filter(({ id }) => rpcUrls.has(id))
    .flatMap(({ id, tokens }) =>
      tokens.filter(({ isOff }) => !isOff).map(({ currency }) => ({ network: id, currency })),
    );
}

/** Returns the methods on the given networks that are open and enabled. */
export function methodsOn(networks: readonly AddressedNetwork[], { rpcUrls }: SwitchedOn): PaymentMethod[] {
  const open = new Map(networks.filter(({ isOpen }) => isOpen).map((one) => [one.network, new Set(one.offMethods)]));
  return allNetworks()
    .filter(({ id }) => rpcUrls.has(id) && open.has(id))
    .map(({ id, tokens }) => ({
      network: id,
      currencies: tokens
        .filter(({ isOff, currency }) => !isOff && !open.get(id)?.has(methodName({ network: id, currency })))
        .map(({ currency }) => currency),
    }))
    .filter(({ currencies }) => currencies.length > 0);
}
