import { getApiContext } from "@/app/context";
import { searchDeposits } from "@/lib/deposits/list-deposits";
import { toDepositData } from "@/lib/domain/deposits/deposit-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readDepositSearch } from "@/lib/http/read-deposit-request";

const route = { scope: "orders:read", work: "reads", read: readDepositSearch } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { deposits, nextCursor } = await searchDeposits(context.pool.db, caller, body, now);
  return success({ deposits: deposits.map(toDepositData), next_cursor: nextCursor });
});
