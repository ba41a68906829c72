import type { Db } from "@/db/client";
import type { AddressKind } from "@/lib/domain/quote";
import { addAddress } from "@/lib/merchants/addresses";
import { createApiKey } from "@/lib/merchants/api-keys";
import { createMerchantWithOwner } from "@/lib/merchants/register";

/** A merchant whose receiving addresses are all of one kind. */
export interface Seller {
  kind: AddressKind;
  merchantId: string;
  userId: string;
  apiKeyId: string;
  secret: string;
}

/** Makes a merchant with a key through the service's own stories. */
export async function createSeller(db: Db, appSecret: string, kind: AddressKind, now: Date): Promise<Seller> {
  const person = { email: `${kind}@shop.example`, password: "correct-horse-battery-staple" };
  const owner = await createMerchantWithOwner(db, { name: `Shop with ${kind} addresses`, ...person }, now);
  const key = await createApiKey(db, { appSecret, mode: "test" }, { ...owner, name: "chaos", mustSign: false }, now);
  return { kind, ...owner, apiKeyId: key.id, secret: key.secret };
}

/** Adds a receiving address through the service's own story. @throws Error with its words when it is refused */
export async function addSellerAddress(
  db: Db,
  appSecret: string,
  seller: Seller,
  place: { network: string; address: string },
  now: Date,
): Promise<void> {
  const { merchantId, userId, kind } = seller;
  const added = await addAddress(db, { appSecret }, { merchantId, userId, kind, label: "", ...place }, now);
  if ("errors" in added) throw new Error(added.errors.map(({ message }) => message).join(" "));
}
