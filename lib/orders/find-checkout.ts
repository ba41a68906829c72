import type { Db } from "@/db/client";
import { findOrderLogo } from "@/db/queries/merchants/checkout-settings";
import { listClosures } from "@/db/queries/networks/closures";
import {
  type ChainRow,
  type CheckoutRow,
  type CheckoutTransferRow,
  type LookupRow,
  listChainRows,
  listCheckoutRows,
  listOrderVersions,
  type MisdirectedRow,
} from "@/db/queries/orders/checkout";
import { isDatabaseAway } from "@/db/unavailable";
import { createBatcher } from "@/lib/batcher";
import type { Env } from "@/lib/config/env";
import { verifiedAddress } from "@/lib/domain/addresses/address";
import { type Brand, brandOf } from "@/lib/domain/checkout/brand";
import { type ChoiceFacts, isSameMethod, MAX_QUOTES, type QuotedMethod } from "@/lib/domain/checkout/choice";
import type { CheckoutChain, CheckoutFacts, CheckoutMisdirected, CheckoutTransfer } from "@/lib/domain/checkout/facts";
import { isId } from "@/lib/domain/id";
import { type Integrations, NO_INTEGRATIONS } from "@/lib/domain/integrations/integration";
import { returnUrl } from "@/lib/domain/integrations/return-url";
import type { ChainHeight, MerchantWait } from "@/lib/domain/networks/finality";
import { creditedUnits } from "@/lib/domain/orders/order";
import type { RateSource } from "@/lib/domain/rates/sources";
import type { Lookup } from "@/lib/domain/transfers/lookup";
import { listPaymentMethods } from "@/lib/merchants/payment-methods";
import { type MacVerification, recordFailedIntegrity } from "@/lib/merchants/verify-address";
import { findChoiceAmounts } from "@/lib/orders/choice-amounts";
import { methodsOf } from "@/lib/orders/choose-method";

/** Finds the stored row of an order for its payment page. */
type FindCheckoutRow = (tradeId: string) => Promise<CheckoutRow | null>;

/** The sources of the rates that convert a price for the payer's choice; none if absent. */
interface Rates {
  rateSources?: readonly RateSource[] | undefined;
}

/** The dependencies of a payment page besides the database. */
export interface PageReader {
  env: Pick<Env, "rpcUrls">;
  findCheckoutRow: FindCheckoutRow;
  orders: MacVerification & Rates;
  integrations: Integrations;
}

/** Returns the current version of an order, or null if there is no such order. */
export type FindOrderVersion = (tradeId: string) => Promise<number | null>;

/**
 * Returns a function that finds the rows of concurrent page requests in one statement, which starts after all of them
 * were made.
 */
export function findCheckoutsTogether(db: Db): FindCheckoutRow {
  return findRowsTogether((ids) => listCheckoutRows(db, ids));
}

/** Returns a function that finds only the versions of orders, batched in the same way. */
export function findVersionsTogether(db: Db): FindOrderVersion {
  const find = findRowsTogether((ids) => listOrderVersions(db, ids));
  return async (tradeId) => (await find(tradeId))?.version ?? null;
}

/**
 * Returns a function that finds rows by id (orders or other targets), batching concurrent requests in one statement;
 * null if there is no row.
 */
export function findRowsTogether<Row extends { id: string }>(list: (ids: readonly string[]) => Promise<Row[]>) {
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

/**
 * Returns the data of an order's payment page; null if there is no such order. Returns "tampered" if the order may still be paid and its
 * address was changed in the database: the page then shows no data.
 */
export async function findPageFacts(
  db: Db,
  { env, findCheckoutRow, orders, integrations }: PageReader,
  tradeId: string,
  now: Date,
): Promise<CheckoutFacts | ChoiceFacts | "tampered" | null> {
  const row = await findCheckoutRow(tradeId);
  if (row?.checkout && row.quote_id === null) return findChoice(db, { env, rateSources: orders.rateSources }, row, now);
  if (row && (await hasInvalidMac(db, orders, row, now))) return "tampered";
  return row && factsOf(row, integrations);
}

/**
 * Returns true if the address of the order was changed in the database. A paid or cancelled order is not checked,
 * because its payer has nothing left to pay.
 */
async function hasInvalidMac(db: Db, ctx: MacVerification, row: CheckoutRow, now: Date): Promise<boolean> {
  const { id, merchant_id: merchantId, mch_order_id: mchOrderId, quote_network: network, quote_address: address } = row;
  if (row.status === "paid" || row.status === "cancelled") return false;
  if (verifiedAddress({ merchantId, network, address, addressMac: row.addressMac }, ctx.isVerifiedAddress) !== null)
    return false;
  await recordFailedIntegrity(db, ctx, { id, merchantId, mchOrderId, network, address }, now);
  return true;
}

/** Returns the logo of an order's page, a WebP in base64. Does not query the database if the merchant has no logo. */
export async function findPageLogo(
  db: Db,
  { tradeId, brand }: Pick<CheckoutFacts, "tradeId" | "brand">,
): Promise<string | null> {
  return brand.hasLogo ? findOrderLogo(db, tradeId) : null;
}

/** Returns the page data of an order; null if there is no such order, or its payer has not chosen a method yet. */
export async function findCheckout(
  db: Db,
  tradeId: string,
  integrations: Integrations = NO_INTEGRATIONS,
): Promise<CheckoutFacts | null> {
  const [row] = isId(tradeId) ? await listCheckoutRows(db, [tradeId]) : [];
  return row && row.quote_id !== null ? factsOf(row, integrations) : null;
}

/**
 * Returns the page data of an order for its payment; null if there is no such order, its payer has not chosen a method yet, or its address
 * was changed in the database.
 */
export async function findPayable(
  db: Db,
  { orders, integrations }: Pick<PageReader, "orders" | "integrations">,
  tradeId: string,
  now: Date,
): Promise<CheckoutFacts | null> {
  const [row] = isId(tradeId) ? await listCheckoutRows(db, [tradeId]) : [];
  if (!row || row.quote_id === null || (await hasInvalidMac(db, orders, row, now))) return null;
  return factsOf(row, integrations);
}

/** Returns the methods to which the payer of an order with a quote can switch; null if there is no such order. */
export async function findSwitch(db: Db, ctx: ChoiceReader, tradeId: string, now: Date): Promise<ChoiceFacts | null> {
  const [row] = isId(tradeId) ? await listCheckoutRows(db, [tradeId]) : [];
  return row && row.quote_id !== null ? findChoice(db, ctx, row, now) : null;
}

type ChoiceReader = Pick<PageReader, "env"> & Rates;

async function findChoice(
  db: Db,
  { env, rateSources = [] }: ChoiceReader,
  row: CheckoutRow,
  now: Date,
): Promise<ChoiceFacts> {
  const { id: tradeId, merchant_id: merchantId, merchant_name: merchantName, status, version, subject, checkout } = row;
  const isOpen = status === "pending";
  const offered = isOpen ? methodsOf(checkout, await listPaymentMethods(db, env, { merchantId }, now)) : [];
  const chains = new Map((isOpen ? await listChainRows(db, merchantId) : []).map((chain) => [chain.network, chain]));
  const quoted = quotedOf(row);
  const more = quoted.length < MAX_QUOTES ? offered : [];
  const fresh = more.filter((one) => !quoted.some((had) => isSameMethod(had, one)));
  const closed = isOpen ? await listClosures(db) : new Map();
  const methods = [...quoted, ...fresh].filter(({ network }) => !closed.has(network));
  const amounts = await findChoiceAmounts(db, rateSources, row, methods, now);
  return {
    tradeId,
    merchantName,
    status,
    version,
    subject,
    checkout,
    quoted,
    brand: brandIn(row),
    locale: row.locale,
    createdAt: new Date(row.created_ms),
    expiresAt: new Date(row.expires_ms),
    extensions: row.extensions,
    methods: methods.map(({ network, currency }) => {
      const chain = chains.get(network);
      return { network, currency, wait: chain ? waitOf(chain) : null, amount: amounts.get(currency) ?? null };
    }),
  };
}

/**
 * Returns the current quote of an order and the other quotes that its payer chose before; none while the payer has not
 * chosen.
 */
function quotedOf(row: CheckoutRow): QuotedMethod[] {
  if (row.quote_id === null) return [];
  return [
    { network: row.quote_network, currency: row.quote_currency, units: row.quote_units },
    ...(row.other_quotes ?? []),
  ].map(({ units, ...method }) => ({ ...method, baseUnits: BigInt(units) }));
}

function factsOf(row: CheckoutRow, integrations: Integrations): CheckoutFacts {
  const { id: tradeId, mch_order_id: mchOrderId, integration, redirect_url: redirectUrl } = row;
  return {
    tradeId,
    mchOrderId,
    merchantName: row.merchant_name,
    brand: brandIn(row),
    status: row.status,
    exception: row.exception,
    version: row.version,
    returnUrl: returnUrl({ tradeId, mchOrderId, integration, redirectUrl }, integrations),
    locale: row.locale,
    price: row.price,
    subject: row.subject,
    createdAt: new Date(row.created_ms),
    expiresAt: new Date(row.expires_ms),
    extensions: row.extensions,
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
      rest: row.rest && { baseUnits: BigInt(row.rest.units), askedUnits: BigInt(row.rest.asked) },
    },
    otherQuotes: quotedOf(row).slice(1),
    isElsewhereOpen: row.is_elsewhere_open,
    checkout: row.checkout,
    transfers: row.transfers?.map((transfer) => transferOf(transfer, row)) ?? [],
    misdirected: row.misdirected?.map(misdirectedOf) ?? [],
    chain: chainOf(row),
    lookups: row.lookups?.map(lookupOf) ?? [],
  };
}

function lookupOf({ network, tx_id: txId, asked_ms, answer }: LookupRow): Lookup {
  return { network, txId, askedAt: new Date(asked_ms), answer };
}

/** Returns the branding of a merchant's pages. */
export function brandIn(row: BrandRow): Brand {
  const { brand_version: version, accent, support_url: supportUrl, frame_parents: frameParents, languages } = row;
  return brandOf({ version, accent, supportUrl, frameParents, languages, hasLogo: row.has_logo });
}

/** Returns the reading state of a network as its merchant sees it; null before the network was first read. */
export function chainOf(row: HeadRow & WaitRow & StateRow): CheckoutChain | null {
  if (row.cursor_network === null) return null;
  return {
    head: headOf(row),
    wait: waitOf(row),
    caughtUpAt: dateOf(row.caught_up_ms),
    hasProblem: row.has_problem,
  };
}

/** Converts a transfer row. A transfer for another quote of a paid order counts as an additional payment. */
function transferOf(
  row: CheckoutTransferRow,
  { status, quote_network, quote_currency }: CheckoutRow,
): CheckoutTransfer {
  const misdirected = misdirectedOf(row);
  const shown = { network: quote_network, currency: quote_currency };
  return {
    ...misdirected,
    countedUnits: row.is_counted || status === "paid" ? creditedUnits(misdirected, shown) : 0n,
    head: headOf(row),
    wait: waitOf(row),
    isConfirmed: row.is_confirmed,
    blockHeight: row.block_height,
    blockTime: new Date(row.block_ms),
  };
}

function misdirectedOf({ network, token, currency, tx_id, base_units }: MisdirectedRow): CheckoutMisdirected {
  return { network, token, currency, txId: tx_id, baseUnits: BigInt(base_units) };
}

type WaitRow = Pick<ChainRow, "min_confirmations" | "min_seconds">;

/** Returns the confirmations that a merchant requires on a network. */
export function waitOf(row: WaitRow): MerchantWait {
  return { minConfirmations: row.min_confirmations, minSeconds: row.min_seconds };
}

type BrandRow = Pick<
  CheckoutRow,
  "brand_version" | "accent" | "support_url" | "frame_parents" | "languages" | "has_logo"
>;
type StateRow = Pick<CheckoutRow, "cursor_network" | "caught_up_ms" | "has_problem">;
type HeadRow = Pick<CheckoutRow, "head_height" | "finalized_height" | "head_block_ms">;

/** Returns the height of a network's chain; null before it was first read. */
export function headOf({ head_height: height, finalized_height, head_block_ms }: HeadRow): ChainHeight | null {
  return height === null ? null : { height, finalizedHeight: finalized_height, blockMs: head_block_ms };
}

function dateOf(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
