import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type { ShopCallback } from "@/sandbox/shop/journal";

const Event = z.object({
  type: z.string(),
  data: z.object({ trade_id: z.string(), status: z.string(), mch_order_id: z.string().nullish() }),
});

/** Checks a callback as the documentation tells merchants to: the signature over the raw body, by standardwebhooks. */
export function receiveCallback(secret: string, headers: Headers, body: string, now: Date): ShopCallback {
  const all = Object.fromEntries(headers);
  return {
    kind: "callback",
    headers: all,
    body,
    verified: isVerified(secret, all, body),
    received_at: now.toISOString(),
  };
}

/** What a verified callback says; null when it is not verified, or nothing this shop knows. */
export function eventOf(callback: ShopCallback): z.infer<typeof Event> | null {
  if (!callback.verified) return null;
  const parsed = Event.safeParse(JSON.parse(callback.body));
  return parsed.success ? parsed.data : null;
}

function isVerified(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
