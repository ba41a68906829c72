import type { Db } from "@/db/client";
import { findMerchantName, findOrderTerms } from "@/db/queries/merchants/merchants";
import type { OrderRules, OrderTerms } from "@/lib/domain/orders/terms";

/** A shop as its plugins show it: its name, and the default terms and rules of its orders. */
export type PluginShop = OrderTerms & OrderRules & { name: string };

/** Returns the shop of a plugin. @throws Error if there is no such shop */
export async function findPluginShop(db: Db, { merchantId }: { merchantId: string }): Promise<PluginShop> {
  const [name, terms] = await Promise.all([findMerchantName(db, merchantId), findOrderTerms(db, merchantId)]);
  if (name === null || !terms) throw new Error(`Merchant ${merchantId} of a plugin does not exist`);
  return { ...terms, name };
}
