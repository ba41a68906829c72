import { getApiContext } from "@/app/context";
import { toUnmatchedData } from "@/lib/domain/ledger/unmatched-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readUnmatchedSearch } from "@/lib/http/read-ledger-request";
import { listUnmatched } from "@/lib/ledger/list-unmatched";

const route = { scope: "transfers:read", work: "reads", read: readUnmatchedSearch } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  const { transfers, nextCursor } = await listUnmatched(context.pool.db, caller, body, now);
  return success({ transfers: transfers.map(toUnmatchedData), next_cursor: nextCursor });
});
