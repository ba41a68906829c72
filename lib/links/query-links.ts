import type { Db } from "@/db/client";
import { findLink, type LinkNames, type LinkSearch, type ListedLink, listLinks } from "@/db/queries/links/links";
import { isLiveKey } from "@/db/queries/merchants/api-keys";
import { problem } from "@/lib/domain/problems/problem";
import { AppError } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";
import type { Caller } from "@/lib/orders/create-order";

/**
 * Returns a payment link to the merchant's server.
 * @throws AppError 10002 the key is no longer valid; 10003 there is no such link
 */
export async function queryLink(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  names: LinkNames,
  now: Date,
): Promise<ListedLink> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  const link = await findLink(db, merchantId, names);
  if (!link) throw new AppError(problem("link_not_found"));
  return link;
}

/**
 * Returns one page of a merchant's payment links, newest first, and the cursor of the next page; the cursor is null after the last page.
 * @throws AppError 10002 the key is no longer valid
 */
export async function searchLinks(
  db: Db,
  { merchantId, apiKeyId }: Caller,
  search: LinkSearch,
  now: Date,
): Promise<{ links: ListedLink[]; nextCursor: string | null }> {
  if (!(await isLiveKey(db, apiKeyId, now))) throw deadKey();
  const found = await listLinks(db, merchantId, { ...search, limit: search.limit + 1 }, now);
  const links = found.slice(0, search.limit);
  return { links, nextCursor: found.length > search.limit ? (links.at(-1)?.id ?? null) : null };
}
