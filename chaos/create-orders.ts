import { and, eq } from "drizzle-orm";
import type { Random } from "@/chaos/plan/random";
import type { OrderPlan } from "@/chaos/plan/steps";
import { addSellerAddress, sellerOf, TOLERANCE_MICRO } from "@/chaos/sellers";
import { APP_SECRET, type World } from "@/chaos/world";
import type { Db } from "@/db/client";
import { quotes } from "@/db/schema";
import { isDatabaseAway } from "@/db/unavailable";
import { parseUnits, unitsPerStep } from "@/lib/domain/money";
import { getNetwork, getToken } from "@/lib/domain/networks";
import { MIN_SHARED_LATE_WINDOW_SECONDS } from "@/lib/domain/orders/terms";
import { AppError } from "@/lib/errors";
import { createLog } from "@/lib/log";
import { addressVerifier } from "@/lib/merchants/vault";
import { createOrder } from "@/lib/orders/create-order";

/** An order with the data that its merchant has after creation. */
export interface CreatedOrder {
  plan: OrderPlan;
  tradeId: string;
  address: string;
  /** The source of the address; `shared` also if no derived address was free. */
  source: OrderPlan["source"] | "shared";
  baseUnits: bigint;
  /** The amount that counts as full payment. */
  minUnits: bigint;
  requestedAt: Date;
  expiresAt: Date;
  /** The end of the order's late window. */
  reservedUntil: Date;
  isCancelled: boolean;
  /** True if the order was created after the restored dump. The service no longer has the order, but its payer may still pay. */
  isLost: boolean;
}

const CONTEXT = { log: createLog("chaos", "fatal"), isVerifiedAddress: addressVerifier(APP_SECRET) };
const TRIES = 60;
const TRY_AGAIN_MS = 250;
const TEMPORARILY_IMPOSSIBLE = 10006;

/**
 * Creates orders in parallel through the service's use case. Some are requested twice concurrently and must result in one order.
 * @returns the created orders, without orders on a network that currently accepts none
 */
export async function createOrders(world: World, plans: readonly OrderPlan[], random: Random): Promise<CreatedOrder[]> {
  for (const plan of plans.filter(({ isDedicated, source }) => isDedicated && source === "pasted"))
    await addDedicatedAddress(world, plan, random);
  const created = await Promise.all(
    plans.map(async (plan) => {
      const [order, again] = await Promise.all([create(world, plan), plan.isRepeated ? create(world, plan) : null]);
      if (order && again && order.tradeId !== again.tradeId)
        throw new Error(`Two orders for one mch_order_id: ${order.tradeId} and ${again.tradeId}`);
      return order ?? again;
    }),
  );
  return created.filter((order) => order !== null);
}

async function addDedicatedAddress(world: World, { network }: OrderPlan, random: Random): Promise<void> {
  const address = world.chains.find((chain) => chain.network.id === network)?.newAddress(random) ?? "";
  await persist(() =>
    addSellerAddress(world.pool.db, APP_SECRET, world.sellers.dedicated, { network, address }, new Date()),
  );
}

async function endHold(db: Db, orderId: string, merchantId: string, reservedUntil: Date): Promise<void> {
  const isOf = and(eq(quotes.orderId, orderId), eq(quotes.merchantId, merchantId));
  await db.update(quotes).set({ reservedUntil }).where(isOf);
}

async function create(world: World, plan: OrderPlan): Promise<CreatedOrder | null> {
  const network = getNetwork(plan.network);
  const token = getToken(network, plan.currency);
  const name = sellerOf(plan);
  const seller = world.sellers[name];
  const terms = {
    mchOrderId: `order-${plan.index}`,
    network,
    token,
    redirectUrl: null,
    locale: null,
    amountUnits: parseUnits(String(plan.price), token.decimals) ?? 0n,
    notifyUrl: plan.hasNotifyUrl ? `${world.shop.url}/${name}` : null,
    expiresInSeconds: plan.script.expiresInSeconds,
  };
  try {
    const { order } = await persist(() => createOrder(world.pool.db, CONTEXT, seller, terms, new Date()));
    const { address, baseUnits, kind } = order.quote;
    const source = kind === "shared" ? kind : plan.source;
    const tolerated = source === "xpub" || source === "receiver" ? TOLERANCE_MICRO * unitsPerStep(token.decimals) : 0n;
    const reservedUntil = new Date(order.expiresAt.getTime() + seller.lateWindowSeconds * 1_000);
    // On a shared address, the service reserves an amount for at least an hour, which is too long for a run.
    if (kind === "shared" && seller.lateWindowSeconds < MIN_SHARED_LATE_WINDOW_SECONDS)
      await persist(() => endHold(world.pool.db, order.id, seller.merchantId, reservedUntil));
    const asked = { address, source, baseUnits, minUnits: baseUnits - tolerated };
    const times = { requestedAt: order.createdAt, expiresAt: order.expiresAt, reservedUntil };
    return { plan, tradeId: order.id, ...asked, ...times, isCancelled: false, isLost: false };
  } catch (error) {
    if (error instanceof AppError && error.code === TEMPORARILY_IMPOSSIBLE) return null;
    throw error;
  }
}

/** Retries `work` while the database is unavailable, as a merchant's server does. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error) || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}
