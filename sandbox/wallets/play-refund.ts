import { randomBytes } from "node:crypto";
import { Keypair } from "@solana/web3.js";
import { eq } from "drizzle-orm";
import type { Db } from "@/db/client";
import { findOrderDetail } from "@/db/queries/orders/orders";
import { findRefund, listRefundsOf } from "@/db/queries/refunds/refund-requests";
import { memberships } from "@/db/schema";
import { canonicalAddress, displayAddress } from "@/lib/domain/addresses/address";
import type { AppSecret } from "@/lib/domain/keys/app-secret";
import type { Actor } from "@/lib/domain/keys/role";
import { formatMicro, parseMicro } from "@/lib/domain/money";
import { findNetwork, getNetwork, getToken, type Network } from "@/lib/domain/networks";
import { inEnglish } from "@/lib/domain/problems/in-english";
import type { Problem } from "@/lib/domain/problems/problem";
import { fromMicro } from "@/lib/domain/refunds/amounts";
import { CONFIRMED_CHARACTERS } from "@/lib/domain/refunds/claim";
import { isOpenRefund, REFUND_EXPIRES_IN, type Refund } from "@/lib/domain/refunds/refund";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { approveRefund } from "@/lib/refunds/decide-refund";
import { requestRefund } from "@/lib/refunds/request-refund";
import { openWalletOn } from "@/sandbox/wallets/open-wallet";
import { PayProblem } from "@/sandbox/wallets/pay-order";

/** The choices of a refund that is played in the sandbox. */
export interface RefundPlay {
  tradeId: string;
  /** The amount of a new refund as a decimal string; absent to continue an open refund, or to request everything that is left. */
  amount?: string | undefined;
  /** The id or alias of the network on which the customer claims; absent for the network of the order. */
  network?: string | undefined;
}

/** A step of a refund, as it was done. */
export type PlayedStep =
  | { step: "requested" | "continued"; refund: Refund }
  | { step: "claimed"; network: Network; address: string }
  | { step: "approved" }
  | { step: "sent"; txId: string };

interface Context {
  publicUrl: string;
  appSecret: AppSecret;
  rpcUrl(networkId: string): string | undefined;
  now(): Date;
  /** Called after each step. */
  report(step: PlayedStep): void;
}

/**
 * Refunds an order as its merchant and its customer would: requests the refund, or continues an open one; claims it for a new address of the
 * customer; approves it; and sends the transfer from the sandbox wallet. The worker completes the refund when the transfer is final.
 * @returns the refund
 * @throws PayProblem if a step is refused
 */
export async function playRefund(db: Db, ctx: Context, play: RefundPlay): Promise<Refund> {
  const order = await findOrderDetail(db, { id: play.tradeId });
  if (!order?.quote)
    throw new PayProblem(`There is no order ${play.tradeId} with a payment. Pay one first with npm run pay`);
  const actor = await findOwner(db, order.merchantId);
  const find = async (id: string) => {
    const refund = await findRefund(db, order.merchantId, { id });
    if (!refund) throw new PayProblem(`The refund ${id} no longer exists`);
    return refund;
  };
  const open = play.amount === undefined ? await findOpen(db, order) : null;
  let refund = open ?? (await request(db, actor, play, ctx.now()));
  ctx.report({ step: open ? "continued" : "requested", refund });
  if (refund.status === "requested") {
    const network = findNetwork(play.network ?? order.quote.network);
    if (!network) throw new PayProblem(`There is no network "${play.network}"`);
    urlOf(ctx, network);
    const address = newCustomerAddress(network);
    const check = refund.email ?? order.mchOrderId;
    const claim = { network: network.id, address, check, confirmation: address.slice(-CONFIRMED_CHARACTERS) };
    const refused = await claimRefund(db, ctx, refund.id, claim, ctx.now());
    refuse(refused?.errors[0]);
    ctx.report({ step: "claimed", network, address });
    refund = await find(refund.id);
  }
  if (refund.status === "claimed") {
    refuse((await approveRefund(db, ctx, actor, refund.id, ctx.now()))?.problem);
    ctx.report({ step: "approved" });
    refund = await find(refund.id);
  }
  if (refund.status === "approved") ctx.report({ step: "sent", txId: await send(ctx, refund) });
  return refund;
}

/** Returns a new address, because a transfer from the sandbox wallet to itself moves nothing. */
function newCustomerAddress({ family }: Network): string {
  if (family === "solana") return Keypair.generate().publicKey.toBase58();
  return displayAddress(family, canonicalAddress("evm", `0x${randomBytes(20).toString("hex")}`));
}

async function findOwner(db: Db, merchantId: string): Promise<Actor> {
  const members = await db.select().from(memberships).where(eq(memberships.merchantId, merchantId));
  const owner = members.find(({ role }) => role === "owner");
  if (!owner) throw new PayProblem("The shop of this order has no owner");
  return { merchantId, userId: owner.userId, role: owner.role };
}

async function findOpen(db: Db, { id, merchantId }: { id: string; merchantId: string }): Promise<Refund | null> {
  const refunds = await listRefundsOf(db, merchantId, { orderId: id, transferId: null });
  return refunds.find(({ status }) => isOpenRefund(status) && status !== "sent") ?? null;
}

async function request(db: Db, actor: Actor, { tradeId, amount }: RefundPlay, now: Date): Promise<Refund> {
  const microUnits = amount === undefined ? null : parseMicro(amount);
  if (amount !== undefined && (microUnits === null || microUnits <= 0n))
    throw new PayProblem(`"${amount}" is not an amount above 0 with at most 6 decimals`);
  const terms = {
    subject: { orderId: tradeId, transferId: null },
    amount: microUnits === null ? "all" : { microUnits },
    reason: "Played in the sandbox",
    email: "customer@example.com",
    mchRefundId: null,
    expiresInSeconds: REFUND_EXPIRES_IN.usual,
  } as const;
  try {
    return (await requestRefund(db, actor, terms, now)).refund;
  } catch (error) {
    throw new PayProblem(error instanceof Error ? error.message : String(error));
  }
}

async function send(ctx: Context, { network: id, address, currency, microUnits }: Refund): Promise<string> {
  const network = getNetwork(id ?? "");
  const token = getToken(network, currency);
  const baseUnits = fromMicro(network.id, currency, microUnits);
  if (address === null || baseUnits === null)
    throw new PayProblem(`${formatMicro(microUnits)} ${currency} cannot be sent on ${network.name}`);
  const wallet = await openWalletOn(network, urlOf(ctx, network));
  const to = displayAddress(network.family, address);
  return wallet.transfer({ contract: token.contract, to, baseUnits });
}

function urlOf({ rpcUrl }: Context, network: Network): string {
  const url = rpcUrl(network.id);
  if (!url) throw new PayProblem(`The sandbox has no local chain of ${network.name}`);
  return url;
}

function refuse(invalid: Problem | undefined): void {
  if (invalid) throw new PayProblem(inEnglish(invalid));
}
