import { number } from "@/components/pay/client/screen";
import { sendBy } from "@/components/pay/client/wallets/send";
import { Refusal, type Way } from "@/components/pay/client/wallets/way";
import type { WalletData, WalletRequest, WalletStatus } from "@/lib/domain/checkout/wallet-request";

const ASK_MS = 10_000;
/** The time in milliseconds during which a payment that this browser sent is not requested again. */
const SENT_MS = 900_000;

/** The payment that the page shows when the payer chooses to pay with a wallet. */
export interface Shown {
  /** The name of the offer. */
  offer: string;
  version: number;
}

export const shown = (box: HTMLElement): Shown => ({ offer: box.dataset["offer"] ?? "", version: number("version") });

/**
 * Requests the current payment from the server, for the given account if it is known.
 * @throws Refusal("away")
 */
export async function askOffer(account?: string): Promise<WalletData> {
  const page = location.pathname.replace(/\/$/, "");
  const query = new URLSearchParams({ lang: document.documentElement.lang, ...(account && { account }) });
  const signal = AbortSignal.timeout?.(ASK_MS) ?? null;
  const answer = await fetch(`/api${page}/wallet?${query}`, { cache: "no-store", signal }).catch(() => null);
  if (!answer?.ok) throw new Refusal("away");
  return answer.json();
}

/** Sends a wallet the request for the payment that the page shows. Resolves to the status to show on the page; never rejects. */
export function payBy(way: Way, before: Shown, notify: (status: WalletStatus) => void): Promise<WalletStatus> {
  const payment = {
    read: (account?: string) => readOffer(before, account),
    isSent: () => Date.now() - sentAt(before) < SENT_MS,
  };
  return inOneTab(before, async () => {
    const { status } = await sendBy(way, payment, notify);
    if (status === "sent") noteSent(before);
    return status;
  });
}

async function readOffer(before: Shown, account?: string): Promise<WalletRequest> {
  const { request, offer, version } = await askOffer(account);
  if (!request || offer !== before.offer || version !== before.version) throw new Refusal("changed");
  return request;
}

/** Runs the request in only one of several tabs. Without https, browsers do not support locks, and the request runs without one. */
function inOneTab({ offer }: Shown, run: () => Promise<WalletStatus>): Promise<WalletStatus> {
  if (!navigator.locks) return run();
  return navigator.locks.request(`pay ${offer}`, { ifAvailable: true }, (lock) => (lock ? run() : "busy"));
}

const keyOf = ({ offer }: Shown) => `sent ${location.pathname} ${offer}`;

/** The last sent offer, for browsers without storage. */
let sentHere = "";

/** Returns the time at which the payment was sent, in Unix milliseconds; 0 if it was not sent. */
function sentAt(before: Shown): number {
  if (sentHere === keyOf(before)) return Date.now();
  try {
    return Number(localStorage.getItem(keyOf(before)));
  } catch {
    return 0;
  }
}

function noteSent(before: Shown): void {
  sentHere = keyOf(before);
  try {
    localStorage.setItem(keyOf(before), String(Date.now()));
  } catch {
    // The message stays as long as the page is open.
  }
}
