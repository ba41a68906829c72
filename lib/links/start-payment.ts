import type { Db } from "@/db/client";
import {
  countUses,
  findLinkTerms,
  insertLinkOrder,
  type LinkOrder,
  listFormOrders,
  lockLink,
  type StoredLink,
} from "@/db/queries/links/links";
import { takeTokens } from "@/db/queries/merchants/rate-limits";
import { isId, newId } from "@/lib/domain/id";
import { checkoutOf, linkMetadata, linkStatus, MAX_NOTE, readPayerAmount } from "@/lib/domain/links/link";
import { amountProblem, type LinkProblem } from "@/lib/domain/links/link-view";
import { AppError } from "@/lib/errors";
import type { ChoiceContext } from "@/lib/orders/choose-method";
import { insertCheckoutOrder, whyNoCheckout } from "@/lib/orders/create-checkout";

/** The rate limit of specification §9: 10 orders an hour per payment link and client address. */
const OFTEN = { burst: 10, intervalMs: 360_000 };
/** The number of characters of an order's id that its number contains: the random ones. */
const NUMBER_CHARACTERS = 16;

/** The form of the page of a link, as a payer submitted it. */
export interface LinkPayment {
  linkId: string;
  /** The key of the form. The same form submitted again returns the same order. */
  formKey: string;
  /** The amount as typed; ignored if the amount is fixed. */
  amount: string;
  note: string;
  /** The client's address as returned by `addressNetwork`; null if requests are not limited by address. */
  from: string | null;
}

/** The id of the order to pay; the reason why there is none; "over" if the link takes no more payments; null if there is no such link. */
type StartedPayment = { orderId: string } | { problem: LinkProblem } | "over" | null;

/** The terms of an order that a payer asks for. */
interface Asked {
  amount: string;
  note: string | null;
}

/**
 * Creates an order with a payment link, with the merchant's usual time to pay. A form that is submitted again, with the same amount and
 * note, returns its first order while that can be paid, or after it was paid. The link is locked meanwhile, so that it never has more
 * orders that are open or paid than it allows.
 */
export async function startPayment(
  db: Db,
  ctx: ChoiceContext,
  payment: LinkPayment,
  now: Date,
): Promise<StartedPayment> {
  const link = isId(payment.linkId) ? await findLinkTerms(db, payment.linkId) : null;
  if (!link) return null;
  const asked = readAsked(link, payment);
  if ("problem" in asked) return asked;
  const refusal = await whyNoCheckout(db, ctx, link, checkoutOf(link, asked.amount), now);
  try {
    return await db.transaction(async (tx) => {
      const locked = await lockLink(tx, link.id);
      if (!locked) return null;
      const orderId = await findSameOrder(tx, locked, payment.formKey, asked, now);
      if (orderId !== null) return { orderId };
      if (linkStatus(locked, await countUses(tx, locked), now) !== "open") return "over";
      if (refusal) throw refusal;
      if (!(await mayStart(tx, link.id, payment.from, now))) return { problem: { kind: "often" } };
      return { orderId: await createOrderOf(tx, ctx, locked, { ...asked, formKey: payment.formKey }, now) };
    });
  } catch (error) {
    if (error instanceof AppError) return { problem: toLinkProblem(error) };
    throw error;
  }
}

/** Returns true if an order can still be paid in time, or its payment is being confirmed. */
export function isOpenOrder({ status, expiresAt }: Pick<LinkOrder, "status" | "expiresAt">, now: Date): boolean {
  return status === "confirming" || (status === "pending" && expiresAt > now);
}

function readAsked(link: StoredLink, { amount: typed, note: written }: LinkPayment): Asked | { problem: LinkProblem } {
  const note = link.noteLabel === null ? "" : written.trim();
  if ([...note].length > MAX_NOTE || /[\p{Cc}\p{Cs}]/u.test(note)) return { problem: { kind: "note" } };
  const read = link.amount === null ? readPayerAmount(link, typed) : { amount: link.amount };
  if ("refused" in read) return { problem: amountProblem(link, read.refused) };
  return { amount: read.amount, note: note === "" ? null : note };
}

/** Returns the id of the order that the same form created with the same terms; null if there is none, or it ended unpaid. */
async function findSameOrder(
  tx: Db,
  link: StoredLink,
  formKey: string,
  { amount, note }: Asked,
  now: Date,
): Promise<string | null> {
  const asked = checkoutOf(link, amount);
  const same = (await listFormOrders(tx, link, formKey)).find(
    (order) =>
      (order.status === "paid" || isOpenOrder(order, now)) &&
      order.note === note &&
      order.checkout?.amount === asked.amount &&
      (order.checkout.price?.amount ?? null) === (asked.price?.amount ?? null),
  );
  return same?.orderId ?? null;
}

async function mayStart(tx: Db, linkId: string, from: string | null, now: Date): Promise<boolean> {
  if (from === null) return true;
  const { granted } = await takeTokens(tx, { key: `link:${linkId}:${from}`, ...OFTEN }, 1, now);
  return granted > 0;
}

/** Creates the order with its row for the link. Its callbacks are signed like those of the key that created the link. */
async function createOrderOf(
  tx: Db,
  ctx: ChoiceContext,
  link: StoredLink,
  { amount, note, formKey }: Asked & { formKey: string },
  now: Date,
): Promise<string> {
  const orderId = newId(now);
  const { id: linkId, merchantId, apiKeyId, subject, notifyUrl, redirectUrl } = link;
  const order = {
    id: orderId,
    merchantId,
    apiKeyId,
    isKeyUnchecked: true,
    mchOrderId: `link-${orderId.slice(-NUMBER_CHARACTERS)}`,
    checkout: checkoutOf(link, amount),
    notifyUrl,
    redirectUrl,
    locale: null,
    subject,
    metadata: linkMetadata(linkId, note),
    expiresInSeconds: null,
  } as const;
  const inserted = await insertCheckoutOrder(tx, ctx, order, now);
  if (!(inserted instanceof Date)) throw new Error(`The number ${order.mchOrderId} of a new order is taken`);
  await insertLinkOrder(tx, { merchantId, linkId, orderId, formKey, note, createdAt: now });
  return orderId;
}

/** Returns the reason why an order was refused as the page names it. The merchant's limits of orders apply to links, too. */
function toLinkProblem({ errors, problem }: AppError): LinkProblem {
  const [{ code, params } = problem] = errors ?? [];
  const limit = String(params?.["amount"] ?? "");
  if (code === "amount_below_minimum") return { kind: "tooLittle", limit };
  if (code === "amount_above_maximum") return { kind: "tooMuch", limit };
  return { kind: "away" };
}
