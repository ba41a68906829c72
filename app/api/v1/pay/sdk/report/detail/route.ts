import { getApiContext } from "@/app/context";
import { toReportData } from "@/lib/domain/ledger/report-wire";
import { apiRoute, success } from "@/lib/http/api-route";
import { readReportPeriod } from "@/lib/http/read-ledger-request";
import { readPeriodReport } from "@/lib/reports/read-period-report";

const route = { scope: "reports:read", work: "reads", read: readReportPeriod } as const;

export const POST = apiRoute(getApiContext, route, async ({ context, caller, body, now }) => {
  return success(toReportData(body, await readPeriodReport(context.pool.db, caller, body, now)));
});
