import { Refusal, statusOf, type Way } from "@/components/pay/client/wallets/way";
import type { WalletRequest, WalletStatus } from "@/lib/domain/checkout/wallet-request";

/** A payment that a page shows. */
export interface ShownPayment {
  /**
   * Returns the server's current request for the payment, for the account of the wallet if it is known.
   * @throws Refusal if it differs from the payment that the page shows, or if there is none
   */
  read(account?: string): Promise<WalletRequest>;
  /** Returns true if this browser sent the payment a short time ago. */
  isSent(): boolean;
}

/** The end of a wallet request. */
interface Sending {
  status: WalletStatus;
  /** True if the wallet was asked for the signature. */
  isAsked: boolean;
  /** The value that the wallet returned. */
  result: unknown;
}

/**
 * Sends a wallet the request for exactly the payment that the page shows. The payment, and then the wallet's chain, are read again
 * immediately before the signature; any difference aborts the request. Never rejects.
 */
export async function sendBy(
  way: Way,
  { read, isSent }: ShownPayment,
  notify: (status: WalletStatus) => void,
): Promise<Sending> {
  let isAsked = false;
  const end = (status: WalletStatus, result: unknown = null) => ({ status, isAsked, result });
  try {
    if (isSent()) return end("again");
    notify("connect");
    const first = usable(await read());
    const account = await way.connect(first);
    await way.enter(first, account);
    const request = usable(await read(account));
    if (!(await way.isThere(request))) return end("network");
    if (isSent()) return end("again");
    notify("confirm");
    isAsked = true;
    return end("sent", await way.send(request, account));
  } catch (error) {
    const status = statusOf(error);
    return end(status === "failed" && !isAsked ? "unready" : status);
  }
}

function usable(request: WalletRequest): WalletRequest {
  if (request.problem) throw new Refusal(request.problem === "stale" ? "away" : request.problem);
  return request;
}
