import type { CreationRefusal } from "@/db/queries/orders/order-creation";
import { displayMicro } from "@/lib/domain/money";
import { type Currency, type Network, networkTitle, type Token } from "@/lib/domain/networks";
import { refusalReason } from "@/lib/domain/networks/refusal";
import { problem } from "@/lib/domain/problems/problem";
import { AppError, invalidField } from "@/lib/errors";
import { deadKey } from "@/lib/merchants/api-keys";

/** Returns the error for a network or currency that a merchant does not offer. */
export function notOffered(network: Network, currency: Currency): AppError {
  return invalidField("network", problem("method_not_offered", { currency, network: networkTitle(network) }));
}

/** Returns the error for an amount outside the merchant's limits. @param limit in millionths of the currency */
export function outOfRange(
  refused: "tooLittle" | "tooMuch",
  limit: bigint,
  currency: Currency,
  isPrice: boolean,
): AppError {
  const amount = `${displayMicro(limit)} ${currency}`;
  const code = refused === "tooLittle" ? "amount_below_minimum" : "amount_above_maximum";
  return invalidField(isPrice ? "fiat_amount" : "amount", problem(code, { amount }));
}

/** The terms of a refused order. */
interface Refused {
  network: Network;
  token: Pick<Token, "currency">;
  /** The fiat price of the order; absent if the merchant set the amount. */
  price?: object | undefined;
}

/** Returns the error for a refused order. */
export function toError(refusal: CreationRefusal, { network, token, price }: Refused): AppError {
  const isPrice = price !== undefined;
  const name = networkTitle(network);
  switch (refusal.code) {
    case "deadKey":
      return deadKey();
    case "noAddress":
      return invalidField("network", problem("network_without_address", { network: network.id, name }));
    case "notOffered":
      return notOffered(network, token.currency);
    case "tooLittle":
    case "tooMuch":
      return outOfRange(refusal.code, BigInt(refusal.params.limit), token.currency, isPrice);
    case "allTaken":
      return new AppError(problem("amounts_reserved", { network: name }), { retryAfterSeconds: 60 });
    case "networkClosed":
      return new AppError(problem("network_unavailable", { network: name, reason: refusalReason(refusal.params) }), {
        retryAfterSeconds: 30,
      });
  }
}
