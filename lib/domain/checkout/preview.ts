import type { Brand } from "@/lib/domain/checkout/brand";
import { type CheckoutView, checkoutView } from "@/lib/domain/checkout/view";
import { getNetwork, getToken } from "@/lib/domain/networks";

/** The states that the preview can show. */
export const PREVIEW_STATES = ["waiting", "paid"] as const;

const MINUTE_MS = 60_000;
/** A string that no wallet accepts as an address, because it contains characters that base58 lacks. */
const NOWHERE = "PREVIEW-0NLY-D0-N0T-SEND-ANYTHING-T0-THIS";

/** Returns a sample of a payer's view, for an order that does not exist and cannot be paid. The sample does not change over time. */
export function previewView(
  { merchantName, brand, state }: { merchantName: string; brand: Brand; state: (typeof PREVIEW_STATES)[number] },
  now: Date,
): CheckoutView {
  const network = getNetwork("solana");
  const at = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
  const isPaid = state === "paid";
  const view = checkoutView(
    {
      tradeId: "preview",
      mchOrderId: "preview",
      merchantName,
      brand,
      returnUrl: null,
      locale: null,
      version: 1,
      status: isPaid ? "paid" : "pending",
      exception: null,
      paidAt: isPaid ? now : null,
      price: {
        fiat: "EUR",
        amount: "45.99",
        currency: "USDT",
        rate: "0.9199",
        source: "preview",
        at: at(-3).toISOString(),
      },
      subject: "Order 1234",
      createdAt: at(-3),
      expiresAt: at(27),
      quote: {
        network: network.id,
        currency: "USDT",
        token: getToken(network, "USDT").contract,
        address: NOWHERE,
        kind: "shared",
        baseUnits: 49_990_100n,
        reservedUntil: at(207),
        isReleased: false,
        rest: null,
      },
      transfers: [],
      misdirected: [],
      checkout: null,
      extensions: 0,
      otherQuotes: [],
      isElsewhereOpen: false,
      lookups: [],
      chain: { head: null, wait: null, caughtUpAt: now, hasProblem: false },
    },
    now,
  );
  return { ...view, isFinal: true };
}
