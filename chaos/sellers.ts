import { eq } from "drizzle-orm";
import { type OrderPlan, OWN_SOURCES } from "@/chaos/plan/steps";
import type { Db } from "@/db/client";
import { merchants } from "@/db/schema";
import type { AddressKind } from "@/lib/domain/addresses/load";
import { inEnglish } from "@/lib/domain/problems/in-english";
import { addAddress } from "@/lib/merchants/addresses";
import { createApiKey } from "@/lib/merchants/api-keys";
import { createMerchantWithOwner } from "@/lib/users/register";

/** The merchants by the kind of their orders: "brief" has a very short late window, "idle" has no orders, others derive their addresses. */
export const SELLERS = ["shared", "dedicated", "brief", "idle", ...OWN_SOURCES] as const;
/**
 * The merchants with a very short late window, so that their addresses soon become available again. Orders of "brief" are also paid after
 * the window.
 */
const BRIEF: readonly SellerName[] = ["brief", ...OWN_SOURCES];
export type SellerName = (typeof SELLERS)[number];

/** A merchant whose receiving addresses are all of one kind. */
export interface Seller {
  kind: AddressKind;
  merchantId: string;
  userId: string;
  apiKeyId: string;
  apiKey: string;
  secret: string;
  lateWindowSeconds: number;
}

/** The tolerance on dedicated addresses: one token, because the fees of a payer's exchange reduce the amount that arrives. */
export const TOLERANCE_MICRO = 1_000_000n;
const LATE_WINDOW_SECONDS = 10_800;
const BRIEF_WINDOW_SECONDS = 2;

/** Creates a merchant with a key through the service's use cases; the late window is written to the database. */
export async function createSeller(db: Db, appSecret: string, name: SellerName, now: Date): Promise<Seller> {
  const person = { email: `${name}@shop.example`, password: "correct-horse-battery-staple" };
  const owner = await createMerchantWithOwner(db, { name: `Shop with ${name} addresses`, ...person }, now);
  const lateWindowSeconds = BRIEF.includes(name) ? BRIEF_WINDOW_SECONDS : LATE_WINDOW_SECONDS;
  await db.update(merchants).set({ lateWindowSeconds }).where(eq(merchants.id, owner.merchantId));
  const key = await createApiKey(db, { appSecret, mode: "test" }, { ...owner, name: "chaos", mustSign: false }, now);
  const kind = name === "dedicated" ? "dedicated" : "shared";
  return { kind, lateWindowSeconds, ...owner, apiKeyId: key.id, apiKey: key.apiKey, secret: key.secret };
}

/** Returns the merchant of an order. */
export function sellerOf({ isDedicated, source, script }: OrderPlan): SellerName {
  if (source !== "pasted") return source;
  if (isDedicated) return "dedicated";
  return script.isBrief ? "brief" : "shared";
}

/**
 * Adds a receiving address through the service's use case.
 * @throws Error with the reason if it is refused
 */
export async function addSellerAddress(
  db: Db,
  appSecret: string,
  seller: Seller,
  at: { network: string; address: string },
  now: Date,
): Promise<void> {
  const { merchantId, userId, kind } = seller;
  const added = await addAddress(db, { appSecret }, { merchantId, userId, kind, label: "", ...at }, now);
  if ("errors" in added) throw new Error(added.errors.map(inEnglish).join(" "));
}
