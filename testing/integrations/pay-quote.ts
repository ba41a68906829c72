import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { orders, quotes, transfers } from "@/db/schema";
import { INSTALLED } from "@/lib/integrations/installed";
import { matchTransfers } from "@/lib/ledger/match-transfers";
import type { Log } from "@/lib/log";
import { seedTransfer } from "@/testing/database/seed";

/** Pays the current quote of an order exactly, with a final transfer. @returns the transfer */
export async function payQuote(db: Db, orderId: string, log: Log): Promise<{ txId: string }> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const [quote] = await db
    .select()
    .from(quotes)
    .where(eq(quotes.id, order?.quoteId ?? ""));
  if (!quote) throw new Error(`The order ${orderId} has no quote to pay`);
  const { receivingAddressId, merchantId, network, address, baseUnits } = quote;
  const sent = await seedTransfer(
    db,
    { address: { id: receivingAddressId, merchantId, network, address }, baseUnits },
    new Date(),
  );
  const final = { status: "confirmed", confirmedAt: new Date(), confirmations: 100 } as const;
  await db.update(transfers).set(final).where(eq(transfers.id, sent.id));
  await matchTransfers(db, { publicUrl: "https://pay.example.com", log, integrations: INSTALLED }, network, new Date());
  return { txId: sent.txId };
}
