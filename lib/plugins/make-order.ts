import type { Plugin } from "@/db/queries/plugins/plugins";
import type { IntegrationId } from "@/lib/domain/integration-id";
import { AppError } from "@/lib/errors";
import type { ApiContext } from "@/lib/http/api-route";
import {
  type CheckoutOrder,
  type CheckoutRequest,
  type CompareTerms,
  createCheckout,
} from "@/lib/orders/create-checkout";
import { renewOrder } from "@/lib/orders/renew-order";

/** The order that a plugin requests, and its protocol's rules for order numbers that are in use. */
interface IntegrationRequest {
  request: CheckoutRequest & { integration: IntegrationId };
  compare: CompareTerms;
  /**
   * The error for a repeated request on different terms if the order can no longer be changed. Null if every repeated request on different
   * terms is refused.
   */
  otherTerms: AppError | null;
}

/**
 * Creates the order that a plugin requests, or returns the order that the same request created before, with a new expiration if it expired
 * without a payment.
 * @throws AppError as `createCheckout` and `renewOrder`
 */
export async function makeIntegrationOrder(
  ctx: ApiContext,
  { merchantId }: Pick<Plugin, "merchantId">,
  { request, compare, otherTerms }: IntegrationRequest,
  now: Date,
): Promise<{ order: CheckoutOrder; isReplayed: boolean }> {
  const choosing = {
    ...ctx.orders,
    env: ctx.env,
    publicUrl: ctx.env.publicUrl,
    log: ctx.log,
    integrations: ctx.integrations,
  };
  const make = () => createCheckout(ctx.pool.db, choosing, { merchantId, apiKeyId: null }, request, now, compare);
  const renew = (id: string) => renewOrder(ctx.pool.db, choosing, { id, merchantId, request, compare }, now);
  const made = await make().catch(async (error: unknown) => {
    const id = error instanceof AppError && error.code === 10004 ? error.data?.["trade_id"] : null;
    if (!id || !otherTerms) throw error;
    if (await renew(String(id))) return make();
    throw otherTerms;
  });
  return made.order.status === "expired" && (await renew(made.order.id)) ? make() : made;
}
