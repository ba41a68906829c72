import type { Db } from "@/db/client";
import { findLink, insertLink, type LinkNames, type ListedLink, writeClosed } from "@/db/queries/links/links";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import { insertAuditEvent } from "@/db/queries/merchants/audit-events";
import { newId } from "@/lib/domain/id";
import { type Actor, mayChange, READ_ONLY } from "@/lib/domain/keys/role";
import { boundsProblem, type LinkTerms, linkAmountText } from "@/lib/domain/links/link";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { whyNoPayment } from "@/lib/links/link-refusal";
import { deadKey } from "@/lib/merchants/api-keys";
import type { ChoiceContext } from "@/lib/orders/choose-method";
import type { Caller } from "@/lib/orders/create-order";

/** The validated terms of a new link. */
export interface LinkRequest extends LinkTerms {
  mchLinkId: string | null;
  /** The lifetime or the end; null for a link that does not expire. */
  expires: { seconds: number } | { at: Date } | null;
}

/** A user of the back office, or an API key. */
type LinkActor = Actor | Caller;

/**
 * Creates a payment link. A repeated request with the same `mchLinkId` and terms returns the same link.
 * @throws AppError 10001 no receiving address for the terms, or the bounds are swapped; 10002 the key is no longer valid; 10004 other
 * terms under the same `mchLinkId`
 */
export async function createLink(
  db: Db,
  ctx: ChoiceContext,
  actor: LinkActor,
  request: LinkRequest,
  now: Date,
): Promise<{ link: ListedLink; isReplayed: boolean }> {
  await authorize(db, actor, now);
  const swapped = boundsProblem(request);
  if (swapped) throw invalidField("min_amount", swapped);
  const { merchantId } = actor;
  const earlier = await findEarlier(db, merchantId, request);
  if (earlier) return { link: earlier, isReplayed: true };
  // An outage can end before the link is opened.
  const refusal = await whyNoPayment(db, ctx, { ...request, merchantId }, now);
  if (refusal && refusal.code !== 10006) throw refusal;
  const id = newId(now);
  const { expires, ...terms } = request;
  const expiresAt = endOf(expires, now);
  const isNew = await db.transaction(async (tx) => {
    const by = "role" in actor ? { apiKeyId: null, createdBy: actor.userId } : { ...actor, createdBy: null };
    const inserted = await insertLink(tx, { ...terms, ...by, id, merchantId, expiresAt }, now);
    if (inserted) await record(tx, actor, "payment_link.created", { id, ...terms }, now);
    return inserted;
  });
  const link = isNew ? await findLink(db, merchantId, { id }) : await findEarlier(db, merchantId, request);
  if (!link) throw new Error(`The payment link ${id} was inserted and cannot be read`);
  return { link, isReplayed: !isNew };
}

/**
 * Closes a payment link, so that no more orders are created with it. Its open orders can still be paid. Closing a closed link changes
 * nothing.
 * @throws AppError 10002 the key is no longer valid; 10003 there is no such link
 */
export async function closeLink(db: Db, actor: LinkActor, names: LinkNames, now: Date): Promise<ListedLink> {
  await authorize(db, actor, now);
  const { merchantId } = actor;
  const link = await findLink(db, merchantId, names);
  if (!link) throw new AppError(problem("link_not_found"));
  await db.transaction(async (tx) => {
    const closedBy = "role" in actor ? actor.userId : null;
    const isClosed = await writeClosed(tx, { id: link.id, merchantId, closedBy }, now);
    if (isClosed) await record(tx, actor, "payment_link.closed", link, now);
  });
  return (await findLink(db, merchantId, { id: link.id })) ?? link;
}

function endOf(expires: LinkRequest["expires"], from: Date): Date | null {
  return expires && ("at" in expires ? expires.at : new Date(from.getTime() + expires.seconds * 1_000));
}

async function authorize(db: Db, actor: LinkActor, now: Date): Promise<void> {
  if ("role" in actor) {
    if (!mayChange(actor.role)) throw new AppError(READ_ONLY);
  } else if (!(await isLiveKey(db, actor.apiKeyId, now))) throw deadKey();
}

async function record(
  tx: Db,
  actor: LinkActor,
  action: "payment_link.created" | "payment_link.closed",
  link: LinkTerms & { id: string },
  now: Date,
): Promise<void> {
  const by = "role" in actor ? { userId: actor.userId, from: actor.from } : {};
  const amount = link.amount === null ? {} : { shown: linkAmountText(link, link.amount) };
  const detail = { linkId: link.id, name: link.subject ?? "", ...amount };
  await insertAuditEvent(tx, { merchantId: actor.merchantId, action, detail, ...by }, now);
}

/** Finds the link of an earlier request with the same number. @throws AppError 10004 if the terms differ */
async function findEarlier(
  db: Db,
  merchantId: string,
  { mchLinkId, expires, ...terms }: LinkRequest,
): Promise<ListedLink | null> {
  const link = mchLinkId === null ? null : await findLink(db, merchantId, { mchLinkId });
  if (!link) return null;
  const hasSameEnd = link.expiresAt?.getTime() === endOf(expires, link.createdAt)?.getTime();
  const names = Object.keys(terms) as (keyof LinkTerms)[];
  if (hasSameEnd && names.every((name) => link[name] === terms[name])) return link;
  throw new AppError(problem("link_terms_differ", { mchLinkId: mchLinkId ?? "" }));
}
