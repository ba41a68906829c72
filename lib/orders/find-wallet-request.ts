import type { Db } from "@/db/client";
import { findCursor } from "@/db/queries/networks/cursors";
import type { Env } from "@/lib/config/env";
import { type CheckoutView, checkoutView } from "@/lib/domain/checkout/view";
import { type ReadHead, type WalletRequest, walletRequest } from "@/lib/domain/checkout/wallet-request";
import { getNetwork } from "@/lib/domain/networks";
import { findPayable, type PageReader } from "@/lib/orders/find-checkout";

/** What the page of an order shows, and what a wallet would be asked for; no request where nothing is to be sent (any more). */
export interface WalletOffer {
  view: CheckoutView;
  request: WalletRequest | null;
}

/**
 * Finds what a payer's wallet is asked for; null where there is no order that asks for something. No node is asked: a recent
 * blockhash is the one up to which the worker has read, which it does closely while somebody is expected to pay.
 */
export async function findWalletRequest(
  db: Db,
  { env: { isSandbox }, ...reader }: { env: Pick<Env, "isSandbox"> } & Pick<PageReader, "orders" | "integrations">,
  { tradeId, account }: { tradeId: string; account: string | null },
  now: Date,
): Promise<WalletOffer | null> {
  const facts = await findPayable(db, reader, tradeId, now);
  if (!facts) return null;
  const view = checkoutView(facts, now);
  if (!view.isMoneyWanted) return { view, request: null };
  const head = await findHead(db, facts.quote.network);
  return { view, request: walletRequest(facts, { isSandbox, head, account, now }) };
}

async function findHead(db: Db, network: string): Promise<ReadHead | null> {
  const cursor = await findCursor(db, network);
  if (cursor?.height == null || cursor.hash === null || cursor.caughtUpAt === null) return null;
  const { height, hash, caughtUpAt, blockMs } = cursor;
  return { height, hash, caughtUpAt, blockMs: blockMs ?? getNetwork(network).blockMs };
}
