import type { Db } from "@/db/client";
import { type LinkTerms, sampleCheckout } from "@/lib/domain/links/link";
import type { ProblemCode } from "@/lib/domain/problems/problem";
import type { AppError } from "@/lib/errors";
import type { ChoiceContext } from "@/lib/orders/choose-method";
import { whyNoCheckout } from "@/lib/orders/create-checkout";

/** The refusals of an amount. They do not apply to the sample of an amount that the payer enters. */
const OF_AMOUNT: readonly ProblemCode[] = ["amount_below_minimum", "amount_above_maximum", "fiat_amount_above_maximum"];

/**
 * Returns the reason why no payment can be started with the terms of a link at the moment; null if there is none. The check also makes the
 * worker fetch the market rates of a fiat amount.
 */
export async function whyNoPayment(
  db: Db,
  ctx: ChoiceContext,
  link: LinkTerms & { merchantId: string },
  now: Date,
): Promise<AppError | null> {
  const refusal = await whyNoCheckout(db, ctx, link, sampleCheckout(link), now);
  return refusal && link.amount === null && OF_AMOUNT.includes(refusal.problem.code) ? null : refusal;
}
