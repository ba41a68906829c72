import type { Db } from "@/db/client";
import { findOrderLogo } from "@/db/queries/merchants/checkout-settings";
import {
  type CheckoutRow,
  type CheckoutTransferRow,
  listCheckoutRows,
  listOrderVersions,
  type MisdirectedRow,
} from "@/db/queries/orders/checkout";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import { type Brand, PLAIN_BRAND } from "@/lib/domain/checkout/brand";
import type { ChoiceFacts } from "@/lib/domain/checkout/choice";
import type { CheckoutChain, CheckoutFacts, CheckoutMisdirected, CheckoutTransfer } from "@/lib/domain/checkout/facts";
import { isId } from "@/lib/domain/id";
import type { ChainHeight } from "@/lib/domain/networks/finality";
import { type CheckoutTerms, creditedUnits } from "@/lib/domain/orders/order";
import type { Env } from "@/lib/env";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { methodsOf } from "@/lib/orders/choose-method";

/** Finds what is stored of an order for its page. */
type FindCheckoutRow = (tradeId: string) => Promise<CheckoutRow | null>;

/** What a page needs besides the database. */
export interface PageReader {
  env: Pick<Env, "rpcUrls">;
  findCheckoutRow: FindCheckoutRow;
}

/** The present version of an order, or null when there is no such order. */
export type FindOrderVersion = (tradeId: string) => Promise<number | null>;

/** Finds orders whose pages are asked for together in one statement, which begins after all of them asked. */
export function findCheckoutsTogether(db: Db): FindCheckoutRow {
  return findTogether((ids) => listCheckoutRows(db, ids));
}

/** The same of versions alone. */
export function findVersionsTogether(db: Db): FindOrderVersion {
  const find = findTogether((ids) => listOrderVersions(db, ids));
  return async (tradeId) => (await find(tradeId))?.version ?? null;
}

function findTogether<Row extends { id: string }>(list: (ids: readonly string[]) => Promise<Row[]>) {
  const find = createBatcher<string, Row | null>({
    async run(ids) {
      const rows = new Map((await list([...new Set(ids)])).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id) ?? null);
    },
    ownerOf: (id) => id,
    isWorthRetrying: (error) => !isDatabaseAway(error),
  });
  return async (tradeId: string) => (isId(tradeId) ? find(tradeId) : null);
}

/** Finds what the payment page of an order shows; null when there is no such order. */
export async function findPageFacts(
  db: Db,
  { env, findCheckoutRow }: PageReader,
  tradeId: string,
  now: Date,
): Promise<CheckoutFacts | ChoiceFacts | null> {
  const row = await findCheckoutRow(tradeId);
  if (row?.checkout && row.quote_id === null) return findChoice(db, env, { ...row, checkout: row.checkout }, now);
  return row && factsOf(row);
}

/** The logo that the page of an order shows, a WebP in base64; not asked for where there is none. */
export async function findPageLogo(
  db: Db,
  { tradeId, brand }: Pick<CheckoutFacts, "tradeId" | "brand">,
): Promise<string | null> {
  return brand.hasLogo ? findOrderLogo(db, tradeId) : null;
}

/** What the page shows of an order that asks for something; null too while its payer has not chosen. */
export async function findCheckout(db: Db, tradeId: string): Promise<CheckoutFacts | null> {
  const [row] = isId(tradeId) ? await listCheckoutRows(db, [tradeId]) : [];
  return row && row.quote_id !== null ? factsOf(row) : null;
}

type UnchosenRow = CheckoutRow & { checkout: CheckoutTerms };

async function findChoice(db: Db, env: Pick<Env, "rpcUrls">, row: UnchosenRow, now: Date): Promise<ChoiceFacts> {
  const { id: tradeId, merchant_id: merchantId, merchant_name: merchantName, status, version, subject, checkout } = row;
  const methods = status === "pending" ? await listPaymentMethods(db, env, { merchantId }, now) : [];
  return {
    ...{ tradeId, merchantName, status, version, subject, checkout, brand: brandOf(row) },
    ...{ createdAt: new Date(row.created_ms), expiresAt: new Date(row.expires_ms) },
    locale: row.locale,
    methods: methodsOf(checkout, methods),
  };
}

function factsOf(row: CheckoutRow): CheckoutFacts {
  return {
    tradeId: row.id,
    mchOrderId: row.mch_order_id,
    merchantName: row.merchant_name,
    brand: brandOf(row),
    status: row.status,
    exception: row.exception,
    version: row.version,
    redirectUrl: row.redirect_url,
    locale: row.locale,
    price: row.price,
    subject: row.subject,
    createdAt: new Date(row.created_ms),
    expiresAt: new Date(row.expires_ms),
    paidAt: dateOf(row.paid_ms),
    quote: {
      network: row.quote_network,
      currency: row.quote_currency,
      token: row.quote_token,
      address: row.quote_address,
      kind: row.quote_kind,
      baseUnits: BigInt(row.quote_units),
      reservedUntil: new Date(row.reserved_ms),
      isReleased: row.is_released,
    },
    transfers: row.transfers?.map((transfer) => transferOf(transfer, row)) ?? [],
    misdirected: row.misdirected?.map(misdirectedOf) ?? [],
    chain: chainOf(row),
  };
}

function brandOf(row: CheckoutRow): Brand {
  if (row.brand_version === null) return PLAIN_BRAND;
  const { brand_version: version, accent, support_url: supportUrl, frame_parents: frameParents } = row;
  return { version, accent, supportUrl, frameParents, hasLogo: row.has_logo };
}

function chainOf(row: CheckoutRow): CheckoutChain | null {
  if (row.cursor_network === null) return null;
  return {
    head: headOf(row),
    wait: { minConfirmations: row.min_confirmations, minSeconds: row.min_seconds },
    caughtUpAt: dateOf(row.caught_up_ms),
    hasProblem: row.has_problem,
  };
}

function transferOf(row: CheckoutTransferRow, { quote_network, quote_currency }: CheckoutRow): CheckoutTransfer {
  const money = misdirectedOf(row);
  const shown = { network: quote_network, currency: quote_currency };
  return {
    ...money,
    countedUnits: row.is_counted ? creditedUnits(money, shown) : 0n,
    head: headOf(row),
    wait: { minConfirmations: row.min_confirmations, minSeconds: row.min_seconds },
    isConfirmed: row.is_confirmed,
    blockHeight: row.block_height,
    blockTime: new Date(row.block_ms),
  };
}

function misdirectedOf({ network, token, currency, tx_id, base_units }: MisdirectedRow): CheckoutMisdirected {
  return { network, token, currency, txId: tx_id, baseUnits: BigInt(base_units) };
}

type HeadRow = Pick<CheckoutRow, "head_height" | "finalized_height" | "head_block_ms">;

function headOf({ head_height: height, finalized_height, head_block_ms }: HeadRow): ChainHeight | null {
  return height === null ? null : { height, finalizedHeight: finalized_height, blockMs: head_block_ms };
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
