import type { Db } from "@/db/client";
import { type FoundRecord, findRecords } from "@/db/queries/search/find-records";

/** A found record with the back-office page that shows it. */
export interface SearchResult extends FoundRecord {
  href: string;
}

const MIN_LENGTH = 3;
const MAX_LENGTH = 128;

/** Returns the merchant's records that match a search text exactly; none if the text is too short or too long. */
export async function searchRecords(db: Db, merchantId: string, typed: string): Promise<SearchResult[]> {
  const text = typed.trim().toWellFormed().replaceAll("\0", "");
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return [];
  return (await findRecords(db, merchantId, text)).map((record) => ({ ...record, href: pageOf(record) }));
}

function pageOf({ kind, id }: FoundRecord): string {
  switch (kind) {
    case "order":
      return `/dashboard/orders/${id}`;
    case "transfer":
      return `/dashboard/transfers/${id}`;
    case "callback":
      return `/dashboard/callbacks/${id}`;
    case "receiving":
    case "sender":
      return `/dashboard/transfers?${new URLSearchParams({ q: id })}`;
  }
}
