import type { Db } from "@/db/client";
import { findReadHead } from "@/db/queries/networks/cursors";
import type { Env } from "@/lib/config/env";
import { type CheckoutView, checkoutView } from "@/lib/domain/checkout/view";
import { type WalletRequest, walletRequest } from "@/lib/domain/checkout/wallet-request";
import { findPayable, type PageReader } from "@/lib/orders/find-checkout";

/** The page data of an order, and the payment request for a wallet; no request if nothing is left to pay. */
export interface WalletOffer {
  view: CheckoutView;
  request: WalletRequest | null;
}

/**
 * Returns the payment request for a payer's wallet; null if there is no order with a quote. Makes no request to a node:
 * the recent blockhash is that of the last block read by the worker, which polls the network often while a payment is
 * expected.
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
  if (!view.isPaymentExpected) return { view, request: null };
  const head = await findReadHead(db, facts.quote.network);
  return { view, request: walletRequest(facts, { isSandbox, head, account, now }) };
}
