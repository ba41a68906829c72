import { getApiContext } from "@/app/context";
import { assignDepositAddress } from "@/lib/deposits/give-address";
import { toDepositAddressData } from "@/lib/domain/deposits/deposit-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readDepositRequest } from "@/lib/http/read-deposit-request";

const route = { scope: "orders:create", work: "creates", read: readDepositRequest } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { address, isReplayed } = await assignDepositAddress(context.pool.db, context.orders, caller, body, now);
  return success(toDepositAddressData(address, context.env), isReplayed ? { "Idempotent-Replayed": "true" } : {});
});
