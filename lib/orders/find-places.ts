import type { Db } from "@/db/client";
import { type Found, findAnything } from "@/db/queries/orders/find-anything";

/** Where something is shown in the back office. */
export interface FoundPlace extends Found {
  href: string;
}

const FEWEST = 3;
const MOST = 128;

/** Where the back office shows what a text names exactly; nothing for what is too short or too long to name anything. */
export async function findPlaces(db: Db, merchantId: string, typed: string): Promise<FoundPlace[]> {
  const text = typed.trim().toWellFormed().replaceAll("\0", "");
  if (text.length < FEWEST || text.length > MOST) return [];
  return (await findAnything(db, merchantId, text)).map((found) => ({ ...found, href: placeOf(found) }));
}

function placeOf({ kind, id }: Found): string {
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
