import type { JsonObject } from "@/lib/domain/fields/json-value";
import { getNetwork } from "@/lib/domain/networks";
import { type FieldError, type ProblemCode, problem } from "@/lib/domain/problems/problem";
import { CONFIRMED_CHARACTERS } from "@/lib/domain/refunds/claim";
import type { Refund } from "@/lib/domain/refunds/refund";
import { claimUrl } from "@/lib/domain/refunds/refund-wire";
import { AppError, invalidField } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import { namedRefusal, noPullPayment } from "@/lib/integrations/greenfield/failure";
import { originalAmount, toPayout } from "@/lib/integrations/greenfield/pull-payment-answer";
import { type PayoutRequest, readPayout } from "@/lib/integrations/greenfield/read-pull-payment";
import { findClaimTerms, findPluginRefund } from "@/lib/plugins/refunds";
import { claimRefund } from "@/lib/refunds/claim-refund";
import { refundContext } from "@/lib/refunds/move-refund";

/** The names of refused claims. Source: BTCPay Server, GreenfieldPullPaymentController.HandleClaimResult. */
const REFUSALS: { readonly [Code in ProblemCode]?: string } = {
  claim_used: "overdraft",
  claim_expired: "expired",
  claim_network_not_offered: "payment-method-not-supported",
};

/**
 * Claims a refund: creates the payout of a pull payment. Like the claim page, it needs no token, because the id of the pull payment is the
 * permission. A repeated claim with the same destination returns the same payout.
 * @param merchantId the merchant of the refund; null for the refund of any merchant
 * @throws AppError 10001 naming the invalid fields, or with the name of the refusal; 10003; 10005
 */
export async function claimPayout(
  ctx: ApiContext,
  { merchantId, id, body }: { merchantId: string | null; id: string; body: JsonObject },
  now: Date,
): Promise<object> {
  const { pool } = ctx;
  const refund = await findPluginRefund(pool.db, { merchantId, integration: "greenfield" }, id);
  if (!refund) throw noPullPayment();
  const request = readPayout(body);
  await verifyClaim(ctx, refund, request);
  const { network, destination: address } = request;
  const input = { network, address, confirmation: address.slice(-CONFIRMED_CHARACTERS), check: "" };
  const refused = await claimRefund(pool.db, refundContext(ctx), id, input, now);
  const [error] = refused?.errors ?? [];
  if (error) throw toRefusal(error);
  const claimed = await findPluginRefund(pool.db, { merchantId, integration: "greenfield" }, id);
  const payout = claimed && toPayout(claimed);
  if (!payout) throw namedRefusal("archived", problem("claim_used"));
  return payout;
}

/** Verifies what the claim page shows before a claim. @throws AppError with the names of this protocol */
async function verifyClaim({ pool, env }: ApiContext, refund: Refund, request: PayoutRequest): Promise<void> {
  if (refund.status === "cancelled") throw namedRefusal("archived", problem("pull_payment_archived"));
  const { isChecked, networks } = await findClaimTerms(pool.db, refund);
  const url = claimUrl(env.publicUrl, refund.id);
  if (isChecked) throw namedRefusal("generic-error", problem("payout_needs_page", { url }));
  verifyAmount(refund, request);
  if (request.currency === refund.currency && networks.some(({ id }) => id === request.network)) return;
  const given = `${request.currency} on ${getNetwork(request.network).name}`;
  const names = networks.map(({ name }) => name).join(", ");
  const unsupported = problem("payout_method_unsupported", { given, currency: refund.currency, networks: names });
  throw namedRefusal("payment-method-not-supported", unsupported);
}

/** Verifies that a claim is for the whole refund. @throws AppError with the names of this protocol */
function verifyAmount(refund: Refund, { amount: given }: PayoutRequest): void {
  if (given === null) return;
  const { amount, currency } = originalAmount(refund);
  const difference = compareDecimals(given, amount);
  const sentence = { given, amount, currency };
  if (difference < 0) throw namedRefusal("amount-too-low", problem("payout_amount_too_low", sentence));
  if (difference > 0) throw namedRefusal("overdraft", problem("payout_overdraft", sentence));
}

/** Compares two decimal strings without a sign, of any length. Returns a negative number, 0 or a positive number. */
function compareDecimals(one: string, other: string): number {
  const parts = [one, other].map((text) => text.split("."));
  const digits = Math.max(...parts.map(([, decimals = ""]) => decimals.length));
  const [first = 0n, second = 0n] = parts.map(([whole = "0", decimals = ""]) =>
    BigInt(whole + decimals.padEnd(digits, "0")),
  );
  return first === second ? 0 : first < second ? -1 : 1;
}

function toRefusal({ field: _form, ...refusal }: FieldError): AppError {
  const { code } = refusal;
  if (code === "claim_unknown") return noPullPayment();
  if (code === "claim_too_often") return new AppError(refusal, { retryAfterSeconds: RETRY_SECONDS });
  const name = REFUSALS[code];
  return name === undefined ? invalidField("destination", refusal) : namedRefusal(name, refusal);
}

const RETRY_SECONDS = 60;
