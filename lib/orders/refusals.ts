import type { CreationRefusal } from "@/db/queries/orders/order-creation";
import { formatUnits, PUBLIC_DECIMALS } from "@/lib/domain/money";
import { type Currency, type Network, networkTitle, type Token } from "@/lib/domain/networks";
import { AppError, fieldError } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";

/** What a merchant does not offer, in words. */
export function notOffered(network: Network, currency: Currency): AppError {
  const message = `${currency} on ${networkTitle(network)} is not offered; switch it on in the back office under Settings → Order terms, or ask for another`;
  return fieldError("network", message);
}

/** An amount that a merchant takes no order for, in words. @param limit in millionths of the currency */
export function outOfRange(
  refused: "tooLittle" | "tooMuch",
  limit: bigint,
  currency: Currency,
  isPrice: boolean,
): AppError {
  const amount = `${formatUnits(limit, PUBLIC_DECIMALS)} ${currency}`;
  const field = isPrice ? "fiat_amount" : "amount";
  return fieldError(
    field,
    refused === "tooLittle"
      ? `${field}: an order must ask for at least ${amount}, as set under Settings → Order terms`
      : `${field}: an order must ask for at most ${amount}, as set under Settings → Order terms`,
  );
}

/** What an order was refused for. */
interface Refused {
  network: Network;
  token: Pick<Token, "currency">;
  /** Left out where the merchant named the amount. */
  price?: object | undefined;
}

/** Why no order was made, in words. */
export function toError(refusal: CreationRefusal, { network, token, price }: Refused): AppError {
  const isPrice = price !== undefined;
  const name = networkTitle(network);
  switch (refusal.refused) {
    case "deadKey":
      return deadKey();
    case "noAddress": {
      const message = `network "${network.id}" has no active receiving address; add one for ${name} in the back office under Settings → Receiving addresses`;
      return fieldError("network", message);
    }
    case "notOffered":
      return notOffered(network, token.currency);
    case "tooLittle":
    case "tooMuch":
      return outOfRange(refusal.refused, BigInt(refusal.problem), token.currency, isPrice);
    case "allTaken":
      return new AppError(
        10006,
        `Every amount for this price is reserved on all your receiving addresses for ${name}; add another address under Settings → Receiving addresses, or wait: an amount is held until its order's time is over`,
        { retryAfterSeconds: 60 },
      );
    case "networkClosed":
      return new AppError(10006, `${name} takes no new orders at the moment: ${refusal.problem}`, {
        retryAfterSeconds: 30,
      });
  }
}
