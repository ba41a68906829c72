import { and, desc, eq, isNotNull, isNull, ne, or } from "drizzle-orm";
import type { ChaosChain, ChaosPayment } from "@/chaos/chains/chain";
import { type CreatedOrder, persist } from "@/chaos/create-orders";
import { createRandom, type Random } from "@/chaos/plan/random";
import type { RefundPayment, RefundPlan } from "@/chaos/plan/steps";
import { type Seller, sellerOf } from "@/chaos/sellers";
import { APP_SECRET, chainOf, type World } from "@/chaos/world";
import { receivingAddresses, refundRequests, transfers } from "@/db/schema";
import { displayAddress } from "@/lib/domain/addresses/address";
import { type Currency, getNetwork, getToken } from "@/lib/domain/networks";
import { toMicro } from "@/lib/domain/refunds/amounts";
import type { RefundSubject } from "@/lib/domain/refunds/refund";
import { AppError } from "@/lib/errors";
import { createLog } from "@/lib/log";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund, cancelRefund, reopenRefund } from "@/lib/refunds/decide-refund";
import { type RequestedAmount, requestRefund } from "@/lib/refunds/request-refund";

/** A refund that the service accepted, with the payment that completes it if it was approved. */
export interface CreatedRefund {
  plan: RefundPlan;
  id: string;
  /** The network, currency, address and amount that complete it; null if it was not approved. */
  due: { network: string; payment: ChaosPayment } | null;
  /** True if the refund was requested after the restored dump. */
  isLost: boolean;
}

/** The results of one plan: the refunds, the counts of results, and the races that had a wrong result. */
export interface RefundResult {
  created: CreatedRefund[];
  counts: string[];
  invalid: string[];
}

interface Claim {
  network: string;
  address: string;
}

const CONTEXT = { publicUrl: "http://localhost:3000", log: createLog("chaos", "fatal"), appSecret: APP_SECRET };
const DAY_SECONDS = 86_400;
/** The seed of the addresses that several refunds have, one per chain family. */
const REGULARS_SEED = 77;

/**
 * Requests refunds of an order at the same time, as a merchant's server does that repeats a request. Each is then claimed by several
 * holders of its link and approved by several users at the same time, and some are cancelled or reopened meanwhile.
 */
export async function refundOrder(
  world: World,
  orders: readonly CreatedOrder[],
  order: CreatedOrder,
  plan: RefundPlan,
  random: Random,
): Promise<RefundResult> {
  const result: RefundResult = { created: [], counts: [], invalid: [] };
  const seller = world.sellers[sellerOf(order.plan)];
  const exact = plan.claim === "openOrder" ? findOpenOrder(orders, order, random) : null;
  const subject = plan.isOfTransfer ? await findUnmatched(world, seller) : { orderId: order.tradeId, transferId: null };
  if (!subject) return result;
  const amount = amountOf(order, plan, exact);
  const requests = Array.from({ length: plan.rivals }, (_, rival) =>
    request(world, seller, { subject, amount }, plan, rival),
  );
  // The first request is sent twice, and must not result in two refunds.
  const [again, ...ids] = await Promise.all([request(world, seller, { subject, amount }, plan, 0), ...requests]);
  if (again !== null && again !== undefined && ids[0] && again !== ids[0])
    result.invalid.push(`two refunds for one mch_refund_id: ${again} and ${ids[0]}`);
  for (const id of new Set([again, ...ids])) {
    if (!id) {
      result.counts.push("request refused");
      continue;
    }
    result.counts.push("requested");
    const claims = await claimsOf(world, order, plan, { seller, exact }, random);
    result.created.push(await decide(world, seller, { id, plan }, claims, result));
  }
  return result;
}

/** Returns an order of another merchant, at a shared address, that asks for less than `order` in the same currency. */
function findOpenOrder(orders: readonly CreatedOrder[], order: CreatedOrder, random: Random): CreatedOrder | null {
  const { currency } = order.plan;
  const received = toMicro(order.plan.network, currency, order.baseUnits);
  const open = orders.filter(
    (one) =>
      one.source === "shared" &&
      one.plan.currency === currency &&
      sellerOf(one.plan) !== sellerOf(order.plan) &&
      toMicro(one.plan.network, currency, one.baseUnits) <= received &&
      one.expiresAt.getTime() > Date.now(),
  );
  return open.length > 0 ? random.pick(open) : null;
}

async function findUnmatched({ pool: { db } }: World, { merchantId }: Seller): Promise<RefundSubject | null> {
  const isRefundable = and(
    eq(transfers.merchantId, merchantId),
    eq(transfers.status, "confirmed"),
    isNull(transfers.orderId),
    eq(transfers.isSweep, false),
    isNotNull(transfers.currency),
    or(isNull(transfers.unmatchedReason), ne(transfers.unmatchedReason, "refund")),
  );
  const found = await persist(() =>
    db.select().from(transfers).where(isRefundable).orderBy(desc(transfers.id)).limit(1),
  );
  return found[0] ? { orderId: null, transferId: found[0].id } : null;
}

function amountOf(
  order: CreatedOrder,
  { percent, isOfTransfer }: RefundPlan,
  exact: CreatedOrder | null,
): RequestedAmount {
  const { network, currency } = order.plan;
  if (exact) return { microUnits: toMicro(exact.plan.network, currency, exact.baseUnits) };
  if (percent === null || isOfTransfer) return "all";
  return { microUnits: (toMicro(network, currency, order.baseUnits) * BigInt(percent)) / 100n };
}

/** Returns the id of the refund; null if the request is refused. */
async function request(
  { pool: { db } }: World,
  { merchantId, apiKeyId }: Seller,
  { subject, amount }: { subject: RefundSubject; amount: RequestedAmount },
  { index }: RefundPlan,
  rival: number,
): Promise<string | null> {
  const mchRefundId = `refund-${index}-${rival}`;
  const terms = { subject, amount, reason: null, email: null, mchRefundId, expiresInSeconds: DAY_SECONDS };
  try {
    return (await persist(() => requestRefund(db, { merchantId, apiKeyId }, terms, new Date()))).refund.id;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Returns what the holders of a claim link enter at the same time, in the form in which people type addresses. */
async function claimsOf(
  world: World,
  order: CreatedOrder,
  { claim, isOtherNetwork, rivals }: RefundPlan,
  { seller, exact }: { seller: Seller; exact: CreatedOrder | null },
  random: Random,
): Promise<Claim[]> {
  const offered = world.chains.filter(({ network }) =>
    network.tokens.some(({ currency }) => currency === order.plan.currency),
  );
  const others = offered.filter(({ network }) => network.id !== order.plan.network);
  const chain = isOtherNetwork && others.length > 0 ? random.pick(others) : chainOf(world, order.plan.network);
  const ofCustomer = (): Claim => ({ network: chain.network.id, address: chain.newAddress(random) });
  const rest = Array.from({ length: rivals - 1 }, ofCustomer);
  if (exact) return [typed(exact.plan.network, exact.address)];
  switch (claim) {
    case "regular":
      return [{ network: chain.network.id, address: chain.newAddress(createRandom(REGULARS_SEED)) }];
    case "otherShop":
    case "ownShop": {
      const found = await findShopAddress(world, chain, seller, claim === "ownShop", random);
      return found ? [typed(chain.network.id, found)] : [ofCustomer(), ...rest];
    }
    default:
      return [ofCustomer(), ...rest];
  }
}

const typed = (network: string, address: string): Claim => ({
  network,
  address: displayAddress(getNetwork(network).family, address),
});

async function findShopAddress(
  { pool: { db } }: World,
  { network }: ChaosChain,
  { merchantId }: Seller,
  isOwn: boolean,
  random: Random,
): Promise<string | null> {
  const isOf = isOwn ? eq(receivingAddresses.merchantId, merchantId) : ne(receivingAddresses.merchantId, merchantId);
  const found = await persist(() =>
    db
      .select({ address: receivingAddresses.address })
      .from(receivingAddresses)
      .where(and(eq(receivingAddresses.network, network.id), isOf, eq(receivingAddresses.kind, "shared")))
      .orderBy(receivingAddresses.id),
  );
  return found.length > 0 ? random.pick(found).address : null;
}

/** Claims and approves a refund, several times at once, and cancels or reopens it meanwhile if the plan says so. */
async function decide(
  world: World,
  seller: Seller,
  { id, plan }: Pick<CreatedRefund, "id" | "plan">,
  claims: readonly Claim[],
  { counts, invalid }: RefundResult,
): Promise<CreatedRefund> {
  const { db } = world.pool;
  const actor = { merchantId: seller.merchantId, userId: seller.userId, role: "owner" } as const;
  const approve = () => persist(() => approveRefund(db, CONTEXT, actor, id, new Date()));
  const claimed = await Promise.all([
    ...claims.map((claim) =>
      persist(() =>
        claimRefund(db, CONTEXT, id, { ...claim, check: "", confirmation: claim.address.slice(-4) }, new Date()),
      ),
    ),
    approve(),
  ]);
  const accepted = claims.filter((_, index) => claimed[index] === null).length;
  counts.push(accepted > 0 ? "claimed" : "claim refused");
  if (accepted > 1) invalid.push(`refund ${id} accepted ${accepted} different claims`);
  const dispute = () => {
    const what = { id, reason: "" };
    if (!plan.isDisputed) return null;
    return plan.index % 2 === 0
      ? persist(() => cancelRefund(db, CONTEXT, actor, what, new Date()))
      : persist(() => reopenRefund(db, CONTEXT, actor, what, new Date()));
  };
  await Promise.all([approve(), dispute(), approve()]);
  const [row] = await persist(() => db.select().from(refundRequests).where(eq(refundRequests.id, id)));
  if (!row) throw new Error(`The refund ${id} is not in the database`);
  const { status, network, address, currency, baseUnits } = row;
  counts.push(status);
  const isApproved = row.approvedAt !== null && network !== null && address !== null && baseUnits !== null;
  return {
    id,
    plan,
    isLost: false,
    due: isApproved ? { network, payment: { currency, to: address, baseUnits } } : null,
  };
}

/** A payment that a merchant sends for a refund, with its chain. */
interface SentRefund {
  chain: ChaosChain;
  payments: ChaosPayment[];
}

/** Returns the transactions that pay the approved refunds of a plan, also those that were cancelled after their approval. */
export function refundPayments(world: World, refunds: readonly CreatedRefund[], payment: RefundPayment): SentRefund[] {
  return refunds.flatMap(({ due }) => (due ? [toSent(chainOf(world, due.network), due.payment, payment, world)] : []));
}

function toSent(chain: ChaosChain, due: ChaosPayment, payment: RefundPayment, world: World): SentRefund {
  switch (payment) {
    case "exact":
      return { chain, payments: [due] };
    case "twice":
      return { chain, payments: [due, due] };
    case "short":
      return { chain, payments: [{ ...due, baseUnits: due.baseUnits - 1n }] };
    case "otherNetwork":
      return elsewhere(world, chain, due);
  }
}

/** Returns the same payment on another network of the family, or on the same one if there is no other. */
function elsewhere(world: World, chain: ChaosChain, payment: ChaosPayment): SentRefund {
  const { family, id } = chain.network;
  const other = world.chains.find(({ network }) => network.family === family && network.id !== id) ?? chain;
  const decimals = (one: ChaosChain, currency: Currency) => BigInt(getToken(one.network, currency).decimals);
  const micro = payment.baseUnits / 10n ** (decimals(chain, payment.currency) - 6n);
  const baseUnits = micro * 10n ** (decimals(other, payment.currency) - 6n);
  return { chain: other, payments: [{ ...payment, baseUnits }] };
}
